/** The life of an order after it was made: paid, expired, cancelled, quoted again, by the chain, the clock or its buyer. */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import {
  cancelByLedger,
  expireByLedger,
  fitsLateTerms,
  receivedInTime,
  refuseCancel,
  settleByLedger,
  tellWaiting,
} from './evaluate-order.ts';
import { bookIn } from '../stored-order.ts';
import type { LateTerms } from './evaluate-order.ts';
import type { OrderBook } from '../stored-order.ts';
import { frozenBy } from './frozen-by.ts';
import { quoteAtPresentRate } from './present-price.ts';
import { keepRate } from './quote-order.ts';
import { isMostReceived } from '../checkout/reservation-limits.ts';
import type { Orders } from '../service.ts';
import type { Settlement } from './settle-order.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { isReopenable } from './order-loss.ts';
import { NOT_FOUND } from './changed.ts';
import type { Changed, NotChanged } from './changed.ts';
import { afterwards, hasLoss, OrderChanges } from './changes.service.ts';
import { LatePayments } from './late.service.ts';
import type { LatePaymentsOptions } from './late.service.ts';
import { lineToReturn } from './line-to-return.ts';
import { OrderLosses } from './losses.service.ts';
import * as losses from './losses.store.ts';
import type { FulfilmentStep } from '../fulfilment/refuse-fulfilment.ts';
import { RequoteRefused } from './requote-refused.ts';
import { StaffActions } from './staff.service.ts';
import type { StaffsWord } from './staff.service.ts';
import * as store from './store.ts';
import type { LivingOrder } from './store.ts';
import { OrderUnits } from './units.service.ts';
import type { OrderUnitsOptions } from './units.service.ts';

export interface LifecycleOptions extends OrderUnitsOptions, LatePaymentsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly orders: Pick<Orders, 'countQuote' | 'find' | 'report' | 'shortenWindow'>;
  readonly carts: Pick<Carts, 'lockForReturn' | 'putBack'>;
  readonly payments: Pick<Payments, 'ledgerOf'>;
  readonly lateTolerancePercent: number;
}

const isPaidBy = ({ change }: Settlement): boolean => change?.paymentStatus === 'paid';

/**
 * Whoever changes an order holds its row lock; who also needs the buyer's cart locks that before, who needs stock after
 * it. So nobody waits in a circle, and of those who race for an order each decides on what the one before has left.
 */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #db: Db;
  readonly #units: OrderUnits;
  readonly #late: LatePayments;
  readonly #losses: OrderLosses;
  readonly #changes: OrderChanges;
  readonly #staff: StaffActions;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#late = new LatePayments(options);
    this.#units = new OrderUnits(options);
    this.#losses = new OrderLosses(options);
    const parts = { units: this.#units, losses: this.#losses };
    this.#changes = new OrderChanges(options, parts);
    this.#staff = new StaffActions(options, { ...parts, changes: this.#changes });
    this.#db = options.db;
  }

  // ---- by the chain and the clock

  /**
   * Brings orders to what their ledger says, in the transaction that changed the ledger. Running it again changes
   * nothing.
   */
  async settle(tx: Db, orderIds: readonly string[]): Promise<void> {
    const { clock, payments, rates } = this.#options;
    const orders = await store.lockOrders(tx, orderIds);
    const books = await payments.ledgerOf(tx, orderIds);
    const [now, terms] = [clock.now(), this.#lateTerms()];
    const paid: string[] = [];
    for (const locked of orders) {
      const book = bookIn(books, locked.id);
      const granted = await this.#late.grantTime(tx, locked, book, terms, now);
      // As soon as there is a rate it is looked at again.
      if (granted === null) continue;
      const order = await this.#secure(tx, granted, book, now);
      let settled = settleByLedger(order, book, now, terms);
      const price = isPaidBy(settled) ? null : await this.#late.priceOf(tx, order, book, rates.current(), now);
      if (price !== null) settled = settleByLedger(price.order, book, now, terms);
      // What an expired order held was given back.
      const needsStock = order.payment_status === 'expired' && isPaidBy(settled);
      if (needsStock && !(await this.#units.holdForLate(tx, order, settled, now)))
        settled = settleByLedger(order, book, now, null);
      else if (price !== null) await this.#late.writePrice(tx, order, price, now);
      else if (terms.presentRate !== null) settled = tellWaiting(order, settled);
      if (await this.#changes.apply(tx, order, settled, now)) paid.push(order.id);
      if (!hasLoss(order)) await this.#losses.report(tx, afterwards(order, settled), book, now);
    }
    await this.#units.followRefunds(tx, orders, now);
    await this.#units.sell(tx, paid);
  }

  /**
   * Once most of the amount of an open order was seen in time, its items stay reserved as long as it is open, and a window
   * that scarce items had shortened has its full length.
   */
  async #secure(tx: Db, order: LivingOrder, book: OrderBook, now: Date): Promise<LivingOrder> {
    const { full_expires_at: fullExpiresAt } = order;
    if (!order.is_open || !isMostReceived(receivedInTime(order, book).all, order.due_sats)) return order;
    await this.#units.secure(tx, order.id);
    if (fullExpiresAt === null) return order;
    await store.setWindow(tx, order.id, fullExpiresAt);
    await this.#options.orders.report(tx, order.id, 'window_extended', now, {
      expires_at: fullExpiresAt.toISOString(),
    });
    return { ...order, expires_at: fullExpiresAt, full_expires_at: null };
  }

  #lateTerms(): LateTerms {
    const { rates, lateTolerancePercent: tolerancePercent } = this.#options;
    const rate = rates.current();
    return { presentRate: rate && centsPerBtc(rate.centsPerBtc), tolerancePercent };
  }

  /** Looks again at late payments: since the chain last changed there may be a rate, or stock, for which they waited. */
  async settleLate(): Promise<void> {
    const { clock, rates } = this.#options;
    const terms = this.#lateTerms();
    if (terms.presentRate === null) return;
    const orders = await store.listLate(this.#db);
    const priced = await this.#late.coveredOf(this.#db, orders, rates.current(), clock.now());
    for (const order of orders) {
      const isLate = order.recorded_state === 'late';
      const isDecided = isLate && (!order.is_told || fitsLateTerms(order, terms));
      if (isDecided || priced.has(order.id)) await transact(this.#db, (tx) => this.settle(tx, [order.id]));
    }
  }

  /** Ids of those of the orders whose payments cover the price of today: they are accepted with the next look at them. */
  async coveredAtPresentRate(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { clock, rates } = this.#options;
    return this.#late.coveredOf(db, await store.findOrdersOf(db, ids), rates.current(), clock.now());
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
        const book = await this.#changes.bookOf(tx, id);
        const granted = await this.#late.grantTime(tx, order, book, this.#lateTerms(), now);
        // A payment may have come in time, and there is no rate by which that is decided: it waits.
        if (granted === null) return;
        if (granted !== order) await this.settle(tx, [id]);
        const [after = order] = granted === order ? [] : await store.lockOrders(tx, [id]);
        const expired = expireByLedger(after, book, now, { reconciledAt, unconfirmedLimitSeconds });
        if (expired) await this.#changes.apply(tx, after, expired, now);
      });
    }
  }

  // ---- by the buyer

  /** Gives an order up while nothing has been paid: its lines return to the cart. Cancelled already is done. */
  async cancel(userId: string, id: string): Promise<Changed> {
    const { carts, clock } = this.#options;
    const refused = await transact(this.#db, async (tx): Promise<NotChanged | null> => {
      if (!(await store.isOwnOrder(tx, userId, id))) return NOT_FOUND;
      const cartId = await carts.lockForReturn(tx, userId);
      const order = await store.lockOwnOrder(tx, userId, id);
      if (!order) return NOT_FOUND;
      if (order.payment_status === 'cancelled') return null;
      const book = await this.#changes.bookOf(tx, id);
      const reason = refuseCancel(order, book);
      if (reason) return { ok: false, reason };
      const now = clock.now();
      await this.#changes.apply(tx, order, cancelByLedger(order, book, now), now);
      if (order.paid_at !== null) await this.#units.putBack(tx, [id], now);
      const lines = (await store.linesOf(tx, [id])).filter((line) => !line.is_free);
      await carts.putBack(tx, cartId, lines.map(lineToReturn), order.promo?.id ?? null);
      return null;
    });
    return refused ?? this.#changes.shown(userId, id);
  }

  /**
   * Quotes an expired order again: at the present rate, for another window, with its stock held again. It counts like a
   * new order.
   * @param network where the caller is: an IPv4 address or an IPv6 /64; null: not counted by network.
   */
  async requote(userId: string, id: string, network: string | null = null): Promise<Changed> {
    try {
      const refused = await transact(this.#db, (tx) => this.#requote(tx, userId, id, network));
      return refused ?? (await this.#changes.shown(userId, id));
    } catch (error) {
      if (error instanceof RequoteRefused) return { ok: false, ...error.refused };
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      throw error;
    }
  }

  async #requote(tx: Db, userId: string, id: string, network: string | null): Promise<NotChanged | null> {
    const { clock, orders, rates } = this.#options;
    const order = await store.lockOwnOrder(tx, userId, id);
    if (!order) return NOT_FOUND;
    const book = await this.#changes.bookOf(tx, id);
    const isReopened = isReopenable(order, book);
    if (order.payment_status !== 'expired' && !isReopened) return { ok: false, reason: 'not-expired' };
    const frozen = frozenBy(order.refund_state);
    if (frozen !== null) return { ok: false, reason: frozen };
    const present = rates.current();
    if (!present) return { ok: false, reason: 'no-rate' };
    const now = clock.now();
    const lines = await store.linesOf(tx, [id]);
    const received = receivedInTime(order, book);
    const quote = quoteAtPresentRate(order, lines, book, this.#late.termsAt(present, now));
    const counted = await orders.countQuote(tx, userId, network, now);
    const retryAfterSeconds = counted?.retryAfterSeconds ?? null;
    if (retryAfterSeconds !== null) throw new RequoteRefused({ reason: 'too-often', retryAfterSeconds });
    // Before the stock, as a checkout does: here it waits for one that takes the buyer's one open order.
    await store.writeQuote(tx, id, quote, keepRate(present));
    if (isReopened) {
      await this.#units.reopen(tx, order, lines);
      await losses.forgetPayment(tx, id);
    }
    const isSecured = isMostReceived(received.all, quote.order.due_sats);
    const reserving = { counted, network, isSecured };
    const { gone, reservation } = await this.#units.reserveAgain(tx, order, lines, now, reserving);
    if (gone) throw new RequoteRefused(gone);
    const { expires_at } = quote.order;
    const window = await orders.shortenWindow(tx, { id, expires_at }, counted, reservation, now);
    await this.#late.reportQuote(tx, order, { ...quote, order: { ...quote.order, ...window } }, present, now);
    // What came late counts from now on.
    await this.settle(tx, [id]);
    return null;
  }

  // ---- by staff

  /** Notes that an order, whosoever it is, was sent or has arrived. What is noted already stays as it is. */
  fulfil(id: string, step: FulfilmentStep): Promise<Changed> {
    return this.#staff.fulfil(id, step);
  }

  /** Takes what an order, whosoever it is, has received for the whole of it: it is paid. Settled already is done. */
  settleByHand(id: string, word: StaffsWord): Promise<Changed> {
    return this.#staff.settle(id, word);
  }

  /** Cancels an order whose payment a reorganisation took back for good, or that received only dust. */
  giveUp(id: string, word: StaffsWord): Promise<Changed> {
    return this.#staff.giveUp(id, word);
  }

  /** Ends the reservation of an order of which no payment was seen: its time to pay is over, and its buyer is told. */
  releaseStock(id: string, word: StaffsWord): Promise<Changed> {
    return this.#staff.releaseStock(id, word);
  }

  /** Closes an order as a loss that was sent and is not paid, or that was refunded without cover. Closed is done. */
  closeAsLoss(id: string, word: StaffsWord): Promise<Changed> {
    return this.#staff.closeAsLoss(id, word);
  }
}
