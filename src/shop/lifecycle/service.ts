/** The life of an order after it was made: paid, expired, cancelled, quoted again, by the chain, the clock or its buyer. */
import type { Clock } from '#src/platform/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { Carts } from '../cart/service.ts';
import { centsPerBtc } from '../money.ts';
import {
  bookIn,
  cancelByLedger,
  deepReceived,
  evaluateOrder,
  expireByLedger,
  fitsLateTerms,
  moneyOf,
  receivedInTime,
  refuseCancel,
  settleByLedger,
  settleByStaff,
  tellWaiting,
} from '../orders/evaluate-order.ts';
import type { LateTerms, OrderBook } from '../orders/evaluate-order.ts';
import { keepRate } from '../orders/quote-order.ts';
import { requoteOrder, tellQuote } from '../orders/requote-order.ts';
import type { Orders } from '../orders/service.ts';
import type { Settlement } from '../orders/settle-order.ts';
import { orderNumber } from '../orders/show-order.ts';
import type { Payments } from '../payments/service.ts';
import { isReopenable } from '../orders/order-loss.ts';
import { NOT_FOUND } from './changed.ts';
import type { Changed, NotChanged } from './changed.ts';
import { lineToReturn } from './line-to-return.ts';
import { OrderLosses } from './losses.service.ts';
import * as losses from './losses.store.ts';
import { refuseFulfilment } from './refuse-fulfilment.ts';
import type { FulfilmentStep } from './refuse-fulfilment.ts';
import { refuseGivingUp, wordsOfGivingUp } from './refuse-giving-up.ts';
import { refuseSettling, tellSettling } from './refuse-settling.ts';
import { RequoteRefused } from './requote-refused.ts';
import * as store from './store.ts';
import type { LivingOrder } from './store.ts';
import { OrderUnits } from './units.service.ts';
import type { OrderUnitsOptions } from './units.service.ts';

export interface LifecycleOptions extends OrderUnitsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly orders: Pick<Orders, 'find' | 'report'>;
  readonly carts: Pick<Carts, 'lockForReturn' | 'putBack'>;
  readonly payments: Pick<Payments, 'ledgerOf'>;
  readonly paymentWindowSeconds: number;
  readonly lateTolerancePercent: number;
}

/**
 * Whoever changes an order holds its row lock; who also needs the buyer's cart locks that before, who needs stock after
 * it. So nobody waits in a circle, and of those who race for an order each decides on what the one before has left.
 */
/** What one of the staff decided by hand, for staff alone. */
interface StaffsWord {
  readonly by: string;
  readonly reason: string;
}

/** A loss of it was reported, or staff closed it as one. */
const hasLoss = (order: LivingOrder): boolean => order.recorded_loss !== null || order.closed_as_loss_of !== null;

/** An order as it is once what was decided is written. */
const afterwards = (order: LivingOrder, { change }: Settlement): LivingOrder =>
  change === null
    ? order
    : {
        ...order,
        payment_status: change.paymentStatus,
        paid_at: change.paidAt,
        recorded_state: change.recordedState,
        recorded_received_sats: change.recordedReceivedSats,
      };

export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #db: Db;
  readonly #units: OrderUnits;
  readonly #losses: OrderLosses;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#units = new OrderUnits(options);
    this.#losses = new OrderLosses(options);
    this.#db = options.db;
  }

  // ---- by the chain and the clock

  /**
   * Brings orders to what their ledger says, in the transaction that changed the ledger. Running it again changes
   * nothing.
   */
  async settle(tx: Db, orderIds: readonly string[]): Promise<void> {
    const { clock, payments } = this.#options;
    const orders = await store.lockOrders(tx, orderIds);
    const books = await payments.ledgerOf(tx, orderIds);
    const [now, terms] = [clock.now(), this.#lateTerms()];
    const paid: string[] = [];
    for (const order of orders) {
      const book = bookIn(books, order.id);
      let settled = settleByLedger(order, book, now, terms);
      // What an expired order held was given back.
      const needsStock = order.payment_status === 'expired' && settled.change?.paymentStatus === 'paid';
      if (needsStock && !(await this.#units.holdForLate(tx, order, settled, now)))
        settled = settleByLedger(order, book, now, null);
      else if (terms.presentRate !== null) settled = tellWaiting(order, settled);
      if (await this.#apply(tx, order, settled, now)) paid.push(order.id);
      if (!hasLoss(order)) await this.#losses.report(tx, afterwards(order, settled), book, now);
    }
    await this.#units.followRefunds(tx, orders, now);
    await this.#units.sell(tx, paid);
  }

  #lateTerms(): LateTerms {
    const { rates, lateTolerancePercent: tolerancePercent } = this.#options;
    const rate = rates.current();
    return { presentRate: rate && centsPerBtc(rate.centsPerBtc), tolerancePercent };
  }

  /** Looks again at late payments: since the chain last changed there may be a rate, or stock, for which they waited. */
  async settleLate(): Promise<void> {
    const terms = this.#lateTerms();
    if (terms.presentRate === null) return;
    for (const order of await store.listLate(this.#db)) {
      if (!order.is_told || fitsLateTerms(order, terms)) await transact(this.#db, (tx) => this.settle(tx, [order.id]));
    }
  }

  /**
   * Expires what is due, each order in a transaction of its own.
   * @param reconciledAt when blocks and mempool were last known to be current; what the shop has not seen since an
   *   order's window closed does not expire it.
   */
  async expireDue(reconciledAt: Date): Promise<void> {
    const now = this.#options.clock.now();
    for (const id of await store.listDue(this.#db, now)) {
      await transact(this.#db, async (tx) => {
        const [order] = await store.lockOrders(tx, [id]);
        if (!order) return;
        const expired = expireByLedger(order, await this.#bookOf(tx, id), now, reconciledAt);
        if (expired) await this.#apply(tx, order, expired, now);
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
      const book = await this.#bookOf(tx, id);
      const reason = refuseCancel(order, book);
      if (reason) return { ok: false, reason };
      const now = clock.now();
      await this.#apply(tx, order, cancelByLedger(order, book, now), now);
      if (order.paid_at !== null) await this.#units.putBack(tx, [id], now);
      const lines = (await store.linesOf(tx, [id])).filter((line) => !line.is_free);
      await carts.putBack(tx, cartId, lines.map(lineToReturn), order.promo?.id ?? null);
      return null;
    });
    return refused ?? this.#changed(userId, id);
  }

  /** Quotes an expired order again: at the present rate, for another window, with its stock held again. */
  async requote(userId: string, id: string): Promise<Changed> {
    try {
      const refused = await transact(this.#db, (tx) => this.#requote(tx, userId, id));
      return refused ?? (await this.#changed(userId, id));
    } catch (error) {
      if (error instanceof RequoteRefused) return { ok: false, ...error.gone };
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      throw error;
    }
  }

  async #requote(tx: Db, userId: string, id: string): Promise<NotChanged | null> {
    const { clock, orders, paymentWindowSeconds: windowSeconds, rates } = this.#options;
    const order = await store.lockOwnOrder(tx, userId, id);
    if (!order) return NOT_FOUND;
    const book = await this.#bookOf(tx, id);
    const isReopened = isReopenable(order, book);
    if (order.payment_status !== 'expired' && !isReopened) return { ok: false, reason: 'not-expired' };
    if (order.refund_state !== null) return { ok: false, reason: 'refunding' };
    const present = rates.current();
    if (!present) return { ok: false, reason: 'no-rate' };
    const [now, rate] = [clock.now(), centsPerBtc(present.centsPerBtc)];
    const lines = await store.linesOf(tx, [id]);
    const received = receivedInTime(order, book);
    const quote = requoteOrder(order, lines, received, { rate, now, windowSeconds });
    // Before the stock, as a checkout does: here it waits for one that takes the buyer's one open order.
    await store.writeQuote(tx, id, quote, keepRate(present));
    if (isReopened) {
      await this.#units.reopen(tx, order, lines);
      await losses.forgetPayment(tx, id);
    }
    const gone = await this.#units.holdAgain(tx, order, lines, now);
    if (gone) throw new RequoteRefused(gone);
    const after = { ...order, ...quote.order, rate_evidence: { ...present.evidence, at: present.at.toISOString() } };
    const received_sats = String(order.recorded_received_sats);
    await orders.report(tx, id, 'requoted', now, { ...tellQuote(after), received_sats, before: tellQuote(order) });
    // What came late counts from now on.
    await this.settle(tx, [id]);
    return null;
  }

  // ---- by staff

  /** Notes that an order, whosoever it is, was sent or has arrived. What is noted already stays as it is. */
  async fulfil(id: string, step: FulfilmentStep): Promise<Changed> {
    const { clock, orders } = this.#options;
    const done = await transact(this.#db, async (tx): Promise<NotChanged | string> => {
      const [order] = await store.lockOrders(tx, [id]);
      if (!order) return NOT_FOUND;
      const reason = refuseFulfilment(order, step);
      if (reason) return { ok: false, reason };
      const now = clock.now();
      // It was to be refunded, and what it is for was put on sale again.
      const gone = order.units_returned_at === null ? null : await this.#units.takeAgain(tx, order, now);
      if (gone) return { ok: false, ...gone };
      if (await store.fulfil(tx, id, step)) await orders.report(tx, id, step.to, now, {});
      return order.user_id;
    });
    return typeof done === 'string' ? this.#changed(done, id) : done;
  }

  /** Takes what an order, whosoever it is, has received for the whole of it: it is paid. Settled already is done. */
  async settleByHand(id: string, word: StaffsWord): Promise<Changed> {
    const done = await transact(this.#db, (tx) => this.#settleByHand(tx, id, word));
    return typeof done === 'string' ? this.#changed(done, id) : done;
  }

  async #settleByHand(tx: Db, id: string, word: StaffsWord): Promise<NotChanged | string> {
    const { clock, orders } = this.#options;
    const [order] = await store.lockOrders(tx, [id]);
    if (!order) return NOT_FOUND;
    if (order.payment_status === 'paid' && order.settled_sats !== null) return order.user_id;
    const book = await this.#bookOf(tx, id);
    const { receivedSats: received } = evaluateOrder(order, book);
    const settling = refuseSettling(order, { received, deep: deepReceived(order, book) });
    if (!settling.ok) return settling;
    const [now, { settled }] = [clock.now(), settling];
    // What such an order held was given back.
    const isGivenBack = order.payment_status === 'expired' || order.payment_status === 'cancelled';
    const gone = isGivenBack ? await this.#units.haveAgain(tx, order, now) : null;
    if (gone) return { ok: false, ...gone };
    await store.takeForWhole(tx, id, settled);
    await orders.report(tx, id, 'settled', now, { ...word, ...tellSettling(settled, order.due_sats, received) });
    const taken = { ...order, settled_sats: settled, cancelled_at: null };
    const accepted = settleByStaff(order, book, settled, now);
    // That it was accepted says so already; no payment was confirmed again.
    const events = accepted.events.filter((event) => event !== 'paid_again');
    const isFirstPaid = await this.#apply(tx, taken, { ...accepted, events }, now);
    await this.#units.sell(tx, isFirstPaid ? [id] : []);
    return order.user_id;
  }

  /** Cancels an order whose payment a reorganisation took back for good: what it is for is there for others. */
  async giveUp(id: string, word: StaffsWord): Promise<Changed> {
    const done = await transact(this.#db, async (tx): Promise<NotChanged | string> => {
      const { clock, orders } = this.#options;
      const [order] = await store.lockOrders(tx, [id]);
      if (!order) return NOT_FOUND;
      if (order.payment_status === 'cancelled') return order.user_id;
      const book = await this.#bookOf(tx, id);
      const reason = refuseGivingUp(order, book);
      if (reason) return { ok: false, reason };
      const now = clock.now();
      const words = wordsOfGivingUp(book);
      await orders.report(tx, id, 'cancelled', now, { ...moneyOf(order, null), ...word, words });
      // What its payment was replaced by, or why it left, was told when it left.
      await this.#apply(tx, order, { ...cancelByLedger(order, book, now), events: [] }, now);
      await this.#units.putBack(tx, [id], now);
      return order.user_id;
    });
    return typeof done === 'string' ? this.#changed(done, id) : done;
  }

  /** Closes an order as a loss that was sent and is not paid, or that was refunded without cover. Closed is done. */
  async closeAsLoss(id: string, word: StaffsWord): Promise<Changed> {
    const done = await this.#losses.close(id, word, (tx, orderId) => this.#bookOf(tx, orderId));
    return typeof done === 'string' ? this.#changed(done, id) : done;
  }

  async #changed(userId: string, id: string): Promise<Changed> {
    const order = await this.#options.orders.find(userId, id);
    return order ? { ok: true, order } : NOT_FOUND;
  }

  /** Writes what was decided on a locked order; true when what it holds is sold by that. */
  async #apply(tx: Db, order: LivingOrder, settled: Settlement, now: Date): Promise<boolean> {
    const { change, events } = settled;
    const { log, orders } = this.#options;
    const isCancelled = change?.paymentStatus === 'cancelled';
    const cancelledAt = isCancelled ? (order.cancelled_at ?? now) : order.cancelled_at;
    if (change && !(await store.changeOrder(tx, order.id, order.payment_status, { ...change, cancelledAt }))) {
      throw new Error(`order ${order.id} changed under its lock`);
    }
    if (isCancelled || change?.paymentStatus === 'expired') {
      await this.#units.release(tx, order);
    }
    const details = moneyOf(order, change);
    for (const kind of events) {
      const isNew = await orders.report(tx, order.id, kind, now, details);
      // It was paid before, and that payment was lost for good.
      if (kind === 'paid' && !isNew) await orders.report(tx, order.id, 'paid_anew', now, details);
      if (kind !== 'reorged_out') continue;
      log.error({ number: orderNumber(order.number) }, 'a paid order is not paid any more: hold it');
    }
    if (hasLoss(order))
      await this.#losses.report(tx, afterwards(order, settled), await this.#bookOf(tx, order.id), now);
    const isPaidNow = order.paid_at === null && (change?.paidAt ?? null) !== null;
    return isPaidNow && order.fulfilment_status === 'unfulfilled';
  }

  async #bookOf(db: Db, id: string): Promise<OrderBook> {
    return bookIn(await this.#options.payments.ledgerOf(db, [id]), id);
  }
}
