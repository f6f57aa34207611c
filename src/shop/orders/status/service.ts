/** The life of an order after it was made: paid, expired, cancelled, quoted again, by the chain, the clock or its buyer. */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import {
  cancelWithLedger,
  expireWithLedger,
  isLatePaymentAcceptable,
  computeReceivedInTime,
  findCancelProblem,
  reconcileWithLedger,
  addLateWaitingEvent,
} from './evaluate-order.ts';
import { ledgerOf } from '../stored-order.ts';
import type { LateAcceptanceTerms } from './evaluate-order.ts';
import type { OrderLedger } from '../stored-order.ts';
import { findRefundBlock } from './find-refund-block.ts';
import { quoteAtPresentRate } from './present-price.ts';
import { snapshotRate } from './quote-order.ts';
import { isHalfReceived } from '../checkout/reservation-limits.ts';
import type { Orders } from '../service.ts';
import type { Reconciliation } from './reconcile-order.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { isReopenable } from './order-loss.ts';
import { NOT_FOUND } from './order-change-result.ts';
import type { OrderChangeResult, OrderChangeRefusal } from './order-change-result.ts';
import { applyReconciliation, hasLoss, OrderChanges } from './order-changes.service.ts';
import { LatePayments } from './late-payments.service.ts';
import type { LatePaymentsOptions } from './late-payments.service.ts';
import { toCartLine } from './to-cart-line.ts';
import { OrderLosses } from './losses.service.ts';
import * as losses from './losses.store.ts';
import type { FulfilmentStep } from '../fulfilment/find-fulfilment-problem.ts';
import { RequoteError } from './requote-error.ts';
import { StaffActions } from './staff.service.ts';
import type { StaffReason } from './staff.service.ts';
import * as store from './store.ts';
import type { FulfilmentOrder, OrderRefundTotals } from './store.ts';
import { OrderStock } from './stock.service.ts';
import type { OrderStockOptions } from './stock.service.ts';

export interface FulfilmentOptions extends OrderStockOptions, LatePaymentsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly orders: Pick<Orders, 'countQuote' | 'find' | 'appendEvent' | 'shortenWindow'>;
  readonly carts: Pick<Carts, 'lockForRestore' | 'restoreLines'>;
  readonly payments: Pick<Payments, 'readLedgers'>;
  readonly lateTolerancePercent: number;
}

const isPaidBy = ({ change }: Reconciliation): boolean => change?.paymentStatus === 'paid';

/**
 * Whoever changes an order holds its row lock; who also needs the buyer's cart locks that before, who needs stock after
 * it. So nobody waits in a circle, and of those who race for an order each decides on what the one before has left.
 */
export class Fulfilment {
  readonly #options: FulfilmentOptions;
  readonly #db: Db;
  readonly #stock: OrderStock;
  readonly #late: LatePayments;
  readonly #losses: OrderLosses;
  readonly #changes: OrderChanges;
  readonly #staff: StaffActions;

  constructor(options: FulfilmentOptions) {
    this.#options = options;
    this.#late = new LatePayments(options);
    this.#stock = new OrderStock(options);
    this.#losses = new OrderLosses(options);
    const parts = { units: this.#stock, losses: this.#losses };
    this.#changes = new OrderChanges(options, parts);
    this.#staff = new StaffActions(options, { ...parts, changes: this.#changes });
    this.#db = options.db;
  }

  // ---- by the chain and the clock

  /**
   * Brings orders to what their ledger says, in the transaction that changed the ledger. Running it again changes
   * nothing.
   */
  async reconcile(tx: Db, orderIds: readonly string[]): Promise<void> {
    const { clock, payments, rates } = this.#options;
    const orders = await store.lockOrders(tx, orderIds);
    const books = await payments.readLedgers(tx, orderIds);
    const [now, terms] = [clock.now(), this.#lateTerms()];
    const paid: string[] = [];
    for (const locked of orders) {
      const book = ledgerOf(books, locked.id);
      const granted = await this.#late.extendWindow(tx, locked, book, terms, now);
      // As soon as there is a rate it is looked at again.
      if (granted === null) continue;
      const order = await this.#secureReservation(tx, granted, book, now);
      let settled = reconcileWithLedger(order, book, now, terms);
      const price = isPaidBy(settled) ? null : await this.#late.findCoveredPrice(tx, order, book, rates.current(), now);
      if (price !== null) settled = reconcileWithLedger(price.order, book, now, terms);
      // What an expired order held was given back.
      const needsStock = order.payment_status === 'expired' && isPaidBy(settled);
      if (needsStock && !(await this.#stock.reserveForLatePayment(tx, order, settled, now)))
        settled = reconcileWithLedger(order, book, now, null);
      else if (price !== null) await this.#late.writePrice(tx, order, price, now);
      else if (terms.presentRate !== null) settled = addLateWaitingEvent(order, settled);
      if (await this.#changes.apply(tx, order, settled, now)) paid.push(order.id);
      if (!hasLoss(order)) await this.#losses.recordLoss(tx, applyReconciliation(order, settled), book, now);
    }
    await this.#stock.applyRefunds(tx, orders, now);
    await this.#stock.commitReservations(tx, paid);
  }

  /**
   * Once most of the amount of an open order was seen in time, its items stay reserved as long as it is open, and a window
   * that scarce items had shortened has its full length.
   */
  async #secureReservation(tx: Db, order: FulfilmentOrder, book: OrderLedger, now: Date): Promise<FulfilmentOrder> {
    const { full_expires_at: fullExpiresAt } = order;
    if (!order.is_open || !isHalfReceived(computeReceivedInTime(order, book).all, order.due_sats)) return order;
    await this.#stock.secureReservation(tx, order.id);
    if (fullExpiresAt === null) return order;
    await store.setWindow(tx, order.id, fullExpiresAt);
    await this.#options.orders.appendEvent(tx, order.id, 'window_extended', now, {
      expires_at: fullExpiresAt.toISOString(),
    });
    return { ...order, expires_at: fullExpiresAt, full_expires_at: null };
  }

  #lateTerms(): LateAcceptanceTerms {
    const { rates, lateTolerancePercent: tolerancePercent } = this.#options;
    const rate = rates.current();
    return { presentRate: rate && centsPerBtc(rate.centsPerBtc), tolerancePercent };
  }

  /** Looks again at late payments: since the chain last changed there may be a rate, or stock, for which they waited. */
  async reconcileLate(): Promise<void> {
    const { clock, rates } = this.#options;
    const terms = this.#lateTerms();
    if (terms.presentRate === null) return;
    const orders = await store.listLate(this.#db);
    const priced = await this.#late.findCoveredOrders(this.#db, orders, rates.current(), clock.now());
    for (const order of orders) {
      const isLate = order.recorded_state === 'late';
      const isDecided = isLate && (!order.is_told || isLatePaymentAcceptable(order, terms));
      if (isDecided || priced.has(order.id)) await transact(this.#db, (tx) => this.reconcile(tx, [order.id]));
    }
  }

  /** Ids of those of the orders whose payments cover the price of today: they are accepted with the next look at them. */
  async findCoveredAtPresentRate(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { clock, rates } = this.#options;
    return this.#late.findCoveredOrders(db, await store.listOrders(db, ids), rates.current(), clock.now());
  }

  /**
   * Expires what is due, each order in a transaction of its own.
   * @param reconciledAt when blocks and mempool were last known to be current; what the shop has not seen since an
   *   order's window closed does not expire it.
   */
  async expireDue(reconciledAt: Date): Promise<void> {
    const { clock, unconfirmedLimitSeconds } = this.#options;
    const now = clock.now();
    for (const id of await store.listDue(this.#db, now)) {
      await transact(this.#db, async (tx) => {
        const [order] = await store.lockOrders(tx, [id]);
        if (!order) return;
        const book = await this.#changes.readLedger(tx, id);
        const granted = await this.#late.extendWindow(tx, order, book, this.#lateTerms(), now);
        // A payment may have come in time, and there is no rate by which that is decided: it waits.
        if (granted === null) return;
        if (granted !== order) await this.reconcile(tx, [id]);
        const [after = order] = granted === order ? [] : await store.lockOrders(tx, [id]);
        const expired = expireWithLedger(after, book, now, { reconciledAt, unconfirmedLimitSeconds });
        if (expired) await this.#changes.apply(tx, after, expired, now);
      });
    }
  }

  // ---- by the buyer

  /** Gives an order up while nothing has been paid: its lines return to the cart. Cancelled already is done. */
  async cancel(userId: string, id: string): Promise<OrderChangeResult> {
    const { carts, clock } = this.#options;
    const refused = await transact(this.#db, async (tx): Promise<OrderChangeRefusal | null> => {
      if (!(await store.isOwnOrder(tx, userId, id))) return NOT_FOUND;
      const cartId = await carts.lockForRestore(tx, userId);
      const order = await store.lockOwnOrder(tx, userId, id);
      if (!order) return NOT_FOUND;
      if (order.payment_status === 'cancelled') return null;
      const book = await this.#changes.readLedger(tx, id);
      const reason = findCancelProblem(order, book);
      if (reason) return { ok: false, reason };
      const now = clock.now();
      await this.#changes.apply(tx, order, cancelWithLedger(order, book, now), now);
      if (order.paid_at !== null) await this.#stock.restock(tx, [id], now);
      const lines = (await store.listOrderLines(tx, [id])).filter((line) => !line.is_free);
      await carts.restoreLines(tx, cartId, lines.map(toCartLine), order.promo?.id ?? null);
      return null;
    });
    return refused ?? this.#changes.show(userId, id);
  }

  /**
   * Quotes an expired order again: at the present rate, for another window, with its stock held again. It counts like a
   * new order.
   * @param network where the caller is: an IPv4 address or an IPv6 /64; null: not counted by network.
   */
  async requote(userId: string, id: string, network: string | null = null): Promise<OrderChangeResult> {
    try {
      const refused = await transact(this.#db, (tx) => this.#requote(tx, userId, id, network));
      return refused ?? (await this.#changes.show(userId, id));
    } catch (error) {
      if (error instanceof RequoteError) return { ok: false, ...error.refused };
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      throw error;
    }
  }

  async #requote(tx: Db, userId: string, id: string, network: string | null): Promise<OrderChangeRefusal | null> {
    const { clock, orders, rates } = this.#options;
    const order = await store.lockOwnOrder(tx, userId, id);
    if (!order) return NOT_FOUND;
    const book = await this.#changes.readLedger(tx, id);
    const isReopened = isReopenable(order, book);
    if (order.payment_status !== 'expired' && !isReopened) return { ok: false, reason: 'not-expired' };
    const frozen = findRefundBlock(order.refund_state);
    if (frozen !== null) return { ok: false, reason: frozen };
    const present = rates.current();
    if (!present) return { ok: false, reason: 'no-rate' };
    const now = clock.now();
    const lines = await store.listOrderLines(tx, [id]);
    const received = computeReceivedInTime(order, book);
    const quote = quoteAtPresentRate(order, lines, book, this.#late.createTerms(present, now));
    const counted = await orders.countQuote(tx, userId, network, now);
    const retryAfterSeconds = counted?.retryAfterSeconds ?? null;
    if (retryAfterSeconds !== null) throw new RequoteError({ reason: 'too-often', retryAfterSeconds });
    // Before the stock, as a checkout does: here it waits for one that takes the buyer's one open order.
    await store.writeQuote(tx, id, quote, snapshotRate(present));
    if (isReopened) {
      await this.#stock.restockForRequote(tx, order, lines);
      await losses.clearPayment(tx, id);
    }
    const isSecured = isHalfReceived(received.all, quote.order.due_sats);
    const reserving = { counted, network, isSecured };
    const { unavailable, reservation } = await this.#stock.reserveForRequote(tx, order, lines, now, reserving);
    if (unavailable) throw new RequoteError(unavailable);
    const { expires_at } = quote.order;
    const window = await orders.shortenWindow(tx, { id, expires_at }, counted, reservation, now);
    await this.#late.reportQuote(tx, order, { ...quote, order: { ...quote.order, ...window } }, present, now);
    // What came late counts from now on.
    await this.reconcile(tx, [id]);
    return null;
  }

  // ---- by refunds

  /** Writes the totals of its refunds to a locked order; call `reconcile` next. */
  recordRefunds(tx: Db, id: string, totals: OrderRefundTotals): Promise<void> {
    return store.writeRefundTotals(tx, id, totals);
  }

  // ---- by staff

  /** Notes that an order, whosoever it is, was sent or has arrived. What is noted already stays as it is. */
  recordFulfilment(id: string, step: FulfilmentStep): Promise<OrderChangeResult> {
    return this.#staff.recordFulfilment(id, step);
  }

  /** Takes what an order, whosoever it is, has received for the whole of it: it is paid. Settled already is done. */
  acceptAsPaid(id: string, word: StaffReason): Promise<OrderChangeResult> {
    return this.#staff.acceptAsPaid(id, word);
  }

  /** Cancels an order whose payment a reorganisation took back for good, or that received only dust. */
  cancelAsUnpayable(id: string, word: StaffReason): Promise<OrderChangeResult> {
    return this.#staff.cancelAsUnpayable(id, word);
  }

  /** Ends the reservation of an order of which no payment was seen: its time to pay is over, and its buyer is told. */
  releaseStock(id: string, word: StaffReason): Promise<OrderChangeResult> {
    return this.#staff.releaseStock(id, word);
  }

  /** Closes an order as a loss that was sent and is not paid, or that was refunded without cover. Closed is done. */
  closeAsLoss(id: string, word: StaffReason): Promise<OrderChangeResult> {
    return this.#staff.closeAsLoss(id, word);
  }
}
