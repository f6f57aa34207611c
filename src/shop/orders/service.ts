/** Orders: made from the cart, settled by what the chain says, expired when it says nothing. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { bip21Uri } from '#src/platform/bitcoin/bip21.ts';
import type { Clock } from '#src/platform/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { JobQueue } from '#src/platform/jobs/jobs.ts';
import type { Log } from '#src/platform/log.ts';
import type { RateSource } from '#src/platform/rates.ts';
import type { Carts } from '../cart/service.ts';
import type { Catalogue } from '../catalogue/service.ts';
import { centsPerBtc } from '../money.ts';
import type { Sats } from '../money.ts';
import type { ConfirmationSteps } from '../payments/required-confirmations.ts';
import type { Payments } from '../payments/service.ts';
import { bookIn, evaluateOrder, expireByLedger, settleByLedger } from './evaluate-order.ts';
import type { OrderBook } from './evaluate-order.ts';
import { keepLine, quoteOrder } from './quote-order.ts';
import { isCountryInRegion, refuseCheckout } from './refuse-checkout.ts';
import type { CheckoutProblem } from './refuse-checkout.ts';
import type { Settlement } from './settle-order.ts';
import { orderNumber, showOrder, showPayment } from './show-order.ts';
import type { BillingDetails, ShownOrder, ShownPayment } from './show-order.ts';
import * as store from './store.ts';
import type { OrderRow } from './store.ts';

const DAY_MS = 24 * 3600 * 1000;
const PAID_SHOWN_MS = DAY_MS;
const EXPIRED_SHOWN_MS = 7 * DAY_MS;
const HISTORY_LIMIT = 200;
const CHECKOUT = 'POST /cart/checkout';
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;
export const EXPIRY_JOB = 'order-expiry';

export interface OrdersOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: RateSource;
  readonly jobs: JobQueue;
  readonly carts: Carts;
  readonly catalogue: Pick<Catalogue, 'sell'>;
  readonly payments: Pick<Payments, 'issueAddress' | 'ledgerOf' | 'verifiedAddressOf' | 'isUp'>;
  readonly paymentWindowSeconds: number;
  readonly lateTolerancePercent: number;
  readonly confirmationSteps: ConfirmationSteps;
}

export interface Checkout {
  readonly userId: string;
  readonly billing: BillingDetails;
  readonly idempotencyKey: string | null;
}
export type CheckedOut =
  | { readonly ok: true; readonly order: ShownOrder }
  | { readonly ok: false; readonly reason: CheckoutProblem };

/** Undoes the transaction of a checkout that is refused: nothing of it stays, its key neither. */
class CheckoutRefused extends Error {
  readonly reason: CheckoutProblem;
  constructor(reason: CheckoutProblem) {
    super(reason);
    this.reason = reason;
  }
}

export interface PaymentCheck {
  readonly success: boolean;
  readonly isPaid: boolean;
  readonly payment: ShownPayment;
}

export class Orders {
  readonly #options: OrdersOptions;
  readonly #db: Db;

  constructor(options: OrdersOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  /** Makes the order of the user's cart, or answers the order that the same key made before. */
  async checkout(checkout: Checkout): Promise<CheckedOut> {
    const { billing, idempotencyKey } = checkout;
    if (idempotencyKey !== null && !KEY_PATTERN.test(idempotencyKey)) return { ok: false, reason: 'bad-key' };
    if (!isCountryInRegion(billing.country, billing.region)) return { ok: false, reason: 'country-not-in-region' };
    try {
      return { ok: true, order: await transact(this.#db, (tx) => this.#placeOnce(tx, checkout)) };
    } catch (error) {
      if (error instanceof CheckoutRefused) {
        // So that the buyer sees the cart as it can be ordered, and the next checkout may pass.
        if (error.reason === 'withdrawn') await this.#options.carts.dropWithdrawn(checkout.userId);
        return { ok: false, reason: error.reason };
      }
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      throw error;
    }
  }

  async #placeOnce(tx: Db, { userId, billing, idempotencyKey }: Checkout): Promise<ShownOrder> {
    if (idempotencyKey === null) return this.#place(tx, userId, billing);
    const request = { userId, endpoint: CHECKOUT, key: idempotencyKey };
    const requestHash = createHash('sha256').update(JSON.stringify(billing)).digest();
    if (await store.takeKey(tx, request, requestHash, this.#options.clock.now())) {
      const order = await this.#place(tx, userId, billing);
      await store.bindKey(tx, request, order.id);
      return order;
    }
    const first = await store.findKey(tx, request);
    if (!first?.order_id) throw new Error('an idempotency key is bound to no order');
    if (!first.request_hash.equals(requestHash)) throw new CheckoutRefused('key-reused');
    return this.#showMade(tx, userId, first.order_id);
  }

  async #place(tx: Db, userId: string, billing: BillingDetails): Promise<ShownOrder> {
    const { carts, clock, confirmationSteps, jobs, payments, rates } = this.#options;
    const quoted = rates.current();
    const rate = quoted && centsPerBtc(quoted.centsPerBtc);
    const cart = rate && (await carts.lockForCheckout(tx, userId, rate));
    // Asked before the cart is looked at: the order that is open has emptied it. What guards is the unique index.
    if (await store.findOpenOrder(tx, userId)) throw new CheckoutRefused('order-open');
    if (!rate) throw new CheckoutRefused('no-rate');
    const problem = refuseCheckout(cart);
    if (problem) throw new CheckoutRefused(problem);
    if (!cart) throw new CheckoutRefused('empty-cart');

    const id = uuidv7();
    const now = clock.now();
    const windowSeconds = this.#options.paymentWindowSeconds;
    const quote = quoteOrder(cart.totals, { rate, now, windowSeconds, confirmationSteps });
    const written = {
      billing: JSON.stringify(billing),
      rate_evidence: JSON.stringify({ ...quoted.evidence, at: quoted.at.toISOString() }),
    };
    const row = { ...quote, ...written, id, user_id: userId, payment_status: 'pending' as const, is_open: true };
    await store.insertOrder(tx, row, cart.lines.map(keepLine));
    await this.#report(tx, id, 'created', now, { due_sats: String(quote.due_sats) });
    await jobs.enqueue(tx, EXPIRY_JOB, { orderId: id }, { delaySeconds: windowSeconds });
    await carts.emptyAfterCheckout(tx, userId);
    // Last: it takes the one row of the wallet, on which every other checkout waits until this one commits.
    await payments.issueAddress(tx, id);
    return this.#showMade(tx, userId, id);
  }

  async #showMade(tx: Db, userId: string, id: string): Promise<ShownOrder> {
    const order = await store.findOrderOf(tx, userId, id);
    if (!order) throw new Error('an order that was made is not there');
    return this.#show(tx, order);
  }

  // ---- reading

  async open(userId: string): Promise<ShownOrder | null> {
    const order = await store.findOpenOrder(this.#db, userId);
    if (order) return this.#show(this.#db, order);
    const cart = await this.#options.carts.read({ userId, guestToken: null });
    if (cart.cart_items.length > 0) return null;
    const now = this.#options.clock.now().getTime();
    const [paidSince, expiredSince] = [new Date(now - PAID_SHOWN_MS), new Date(now - EXPIRED_SHOWN_MS)];
    const settled = await store.findNewestSettled(this.#db, userId, paidSince, expiredSince);
    return settled && this.#show(this.#db, settled);
  }

  /** One order of the user's own; null for one that is somebody else's or not there. */
  async find(userId: string, id: string): Promise<ShownOrder | null> {
    const order = await store.findOrderOf(this.#db, userId, id);
    return order && this.#show(this.#db, order);
  }

  /** The user's orders, newest first. */
  async history(userId: string): Promise<ShownOrder[]> {
    return this.#showAll(this.#db, await store.listOrdersOf(this.#db, userId, HISTORY_LIMIT));
  }

  async idsOf(userId: string): Promise<string[]> {
    return store.listIdsOf(this.#db, userId);
  }

  /** What the ledger says; no node is asked. `success` is false while the chain source is down. */
  async checkPayment(userId: string, id: string): Promise<PaymentCheck | null> {
    const order = await store.findOrderOf(this.#db, userId, id);
    if (!order) return null;
    const payment = showPayment(order, await this.#bookOf(this.#db, order), bip21Uri);
    return { success: this.#options.payments.isUp(), isPaid: order.payment_status === 'paid', payment };
  }

  /** The address of the open order, derived once more and compared before it is shown; null without an open order. */
  async wallet(userId: string): Promise<string | null> {
    const order = await store.findOpenOrder(this.#db, userId);
    return order && this.#options.payments.verifiedAddressOf(this.#db, order.id);
  }

  /** Where an order, whosoever it is, is paid and what is missing. */
  async dueOf(id: string): Promise<{ readonly address: string; readonly missingSats: Sats } | null> {
    const [order] = await store.findOrders(this.#db, [id]);
    if (!order) return null;
    const book = await this.#bookOf(this.#db, order);
    return { address: book.address, missingSats: evaluateOrder(order, book).missingSats };
  }

  // ---- what happens to an order

  /** The customer's word that it was paid: told from pending only, and never what pays it. Null as `find` is. */
  async markUserPaid(userId: string, id: string): Promise<ShownOrder | null> {
    return transact(this.#db, async (tx) => {
      const now = this.#options.clock.now();
      if (await store.markUserPaid(tx, userId, id, now)) await this.#report(tx, id, 'user_paid', now, {});
      const order = await store.findOrderOf(tx, userId, id);
      return order && this.#show(tx, order);
    });
  }

  /**
   * Brings orders to what their ledger says, in the transaction that changed the ledger. Running it again changes
   * nothing.
   */
  async settle(tx: Db, orderIds: readonly string[]): Promise<void> {
    const { clock, lateTolerancePercent: tolerancePercent, payments, rates } = this.#options;
    const orders = await store.lockOrders(tx, orderIds);
    const books = await payments.ledgerOf(tx, orderIds);
    const now = clock.now();
    const rate = rates.current();
    const late = { presentRate: rate && centsPerBtc(rate.centsPerBtc), tolerancePercent };
    const paid: string[] = [];
    for (const order of orders) {
      const settled = settleByLedger(order, bookIn(books, order.id), now, late);
      if (await this.#apply(tx, order, settled, now)) paid.push(order.id);
    }
    const lines = [...(await store.linesOf(tx, paid)).values()].flat();
    const sold = lines.map(({ product_id: productId, quantity }) => ({ productId, quantity }));
    if (sold.length > 0) await this.#options.catalogue.sell(tx, sold);
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
        const expired = expireByLedger(order, await this.#bookOf(tx, order), now, reconciledAt);
        if (expired) await this.#apply(tx, order, expired, now);
      });
    }
  }

  /** Whether an order's window is about to close or has closed, and the chain has not been looked at since. */
  async awaitsExpiry(id: string): Promise<boolean> {
    const [order] = await store.findOrders(this.#db, [id]);
    if (!order?.is_open) return false;
    const now = this.#options.clock.now();
    return order.expires_at > now || expireByLedger(order, await this.#bookOf(this.#db, order), now, now) !== null;
  }

  /** Writes what was decided on a locked order; true when this paid it for the first time. */
  async #apply(tx: Db, order: OrderRow, { change, events }: Settlement, now: Date): Promise<boolean> {
    if (change && !(await store.changeOrder(tx, order.id, order.payment_status, change))) {
      throw new Error(`order ${order.id} changed under its lock`);
    }
    const received = change?.recordedReceivedSats ?? order.recorded_received_sats;
    const details = { due_sats: String(order.due_sats), received_sats: String(received) };
    let isFirstPaid = false;
    for (const kind of events) {
      const isNew = await this.#report(tx, order.id, kind, now, details);
      if (kind === 'paid' && isNew) isFirstPaid = true;
      const number = orderNumber(order.number);
      if (kind === 'reorged_out') this.#options.log.error({ number }, 'a paid order is not paid any more: hold it');
    }
    return isFirstPaid;
  }

  async #report(tx: Db, orderId: string, kind: string, at: Date, details: object): Promise<boolean> {
    return store.appendEvent(tx, { id: uuidv7(), order_id: orderId, kind, at, details: JSON.stringify(details) });
  }

  // ---- showing

  async #show(db: Db, order: OrderRow): Promise<ShownOrder> {
    const [shown] = await this.#showAll(db, [order]);
    if (!shown) throw new Error('an order was not shown');
    return shown;
  }

  async #showAll(db: Db, orders: readonly OrderRow[]): Promise<ShownOrder[]> {
    const ids = orders.map(({ id }) => id);
    const lines = await store.linesOf(db, ids);
    const ledger = await this.#options.payments.ledgerOf(db, ids);
    return orders.map((order) => showOrder(order, lines.get(order.id) ?? [], bookIn(ledger, order.id), bip21Uri));
  }

  async #bookOf(db: Db, order: OrderRow): Promise<OrderBook> {
    return bookIn(await this.#options.payments.ledgerOf(db, [order.id]), order.id);
  }
}
