/** Orders: checkout, reading, and the order events. */
import { createBip21Uri } from '#src/platform/bitcoin/bip21.ts';
import { commitWith, pipeline, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import type { Sats } from '#src/shop/money.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { Checkout, CheckoutResult } from './checkout/checkout-request.ts';
import type { ManualOrder, ManualOrderResult, OrderPlacementOptions } from './checkout/order-placement.service.ts';
import { OrderPlacement } from './checkout/order-placement.service.ts';
import { QuoteLimits } from './checkout/quote-limits.service.ts';
import type { QuoteLimitsOptions } from './checkout/quote-limits.service.ts';
import { evaluateOrder } from './status/evaluate-order.ts';
import { requireLedger } from './stored-order.ts';
import type { OrderLedger, BillingDetails } from './stored-order.ts';
import type { OrderEventKind } from './order-events.ts';
import { snapshotBilling } from './quote-order.ts';
import { showOrder, showPayment } from './show-order.ts';
import type { ChainStatus, PaymentContext, ShownOrder, ShownPayment } from './show-order.ts';
import { findWithLedger } from './status/ledger.store.ts';
import { lockOpenOrdersWith } from './open-orders.store.ts';
import type { OpenOrderQuantity } from './open-orders.store.ts';
import * as store from './store.ts';
import type { OrderRow } from './store.ts';

export type { CheckoutResult } from './checkout/checkout-request.ts';
export type { OpenOrderQuantity } from './open-orders.store.ts';

const DAY_MS = 24 * 3600 * 1000;
const PAID_SHOWN_MS = DAY_MS;
const EXPIRED_SHOWN_MS = 7 * DAY_MS;
const HISTORY_LIMIT = 200;

export interface OrdersOptions
  extends Omit<OrderPlacementOptions, 'quoteLimits' | 'getPaymentContext' | 'payments' | 'carts'>, QuoteLimitsOptions {
  readonly log: Log;
  readonly carts: Carts;
  readonly payments: OrderPlacementOptions['payments'] & Pick<Payments, 'readLedgers' | 'getVerifiedAddress' | 'isUp'>;
  readonly shopSettings: Pick<ShopSettings, 'current'>;
}

export interface PaymentCheck {
  readonly success: boolean;
  readonly isPaid: boolean;
  readonly payment: ShownPayment;
}

export class Orders {
  readonly #options: OrdersOptions;
  readonly #db: Db;
  readonly #limits: QuoteLimits;
  readonly #placement: OrderPlacement;

  constructor(options: OrdersOptions) {
    this.#options = options;
    this.#db = options.db;
    this.#limits = new QuoteLimits(options);
    this.#placement = new OrderPlacement({
      ...options,
      quoteLimits: this.#limits,
      getPaymentContext: () => this.#paymentContext,
    });
  }

  /** Places an order from the user's cart, or returns the order of the same idempotency key. */
  async checkout(checkout: Checkout): Promise<CheckoutResult> {
    const placed = await this.#placement.checkout(checkout);
    if (!placed.ok) return placed;
    return { ok: true, order: placed.order ?? (await this.#showPlaced(checkout.userId, placed.id)) };
  }

  /** Creates an order for a buyer, or returns the id of the one with the same idempotency key. */
  createManual(order: ManualOrder): Promise<ManualOrderResult> {
    return this.#placement.createManual(order);
  }

  /** Counts an order or requote for its holder; null when limits are off. */
  countQuote(...quote: Parameters<QuoteLimits['countQuote']>): ReturnType<QuoteLimits['countQuote']> {
    return this.#limits.countQuote(...quote);
  }

  /** Shortens the payment window if items are scarce. Returns the changed columns. */
  shortenWindow(...order: Parameters<QuoteLimits['shortenWindow']>): ReturnType<QuoteLimits['shortenWindow']> {
    return this.#limits.shortenWindow(...order);
  }

  /** Deletes expired quote counts. Runs periodically. */
  deleteOldQuoteCounts(): Promise<void> {
    return this.#limits.deleteOld();
  }

  async #showPlaced(userId: string, id: string): Promise<ShownOrder> {
    const order = await this.find(userId, id);
    if (!order) throw new Error('a placed order was not found');
    return order;
  }

  // ---- reading

  async findCurrent(userId: string): Promise<ShownOrder | null> {
    const order = await store.findOpenOrder(this.#db, userId);
    if (order) return this.#show(this.#db, order);
    const cart = await this.#options.carts.read({ userId, guestToken: null });
    if (cart.cart_items.length > 0) return null;
    const now = this.#options.clock.now().getTime();
    const [paidSince, expiredSince] = [new Date(now - PAID_SHOWN_MS), new Date(now - EXPIRED_SHOWN_MS)];
    const closed = await store.findLatestClosedOrder(this.#db, userId, paidSince, expiredSince);
    return closed && this.#show(this.#db, closed);
  }

  /** An order of the user; null if it does not exist or belongs to another user. */
  async find(userId: string, id: string): Promise<ShownOrder | null> {
    const order = await store.findOwnOrder(this.#db, userId, id);
    return order && this.#show(this.#db, order);
  }

  /** As `find`, in a transaction. Sends its statements at once. */
  async findWithin(tx: Db, userId: string, id: string): Promise<ShownOrder | null> {
    const [order, lines, ledgers] = await pipeline(tx, (free) => [
      store.findOwnOrder(free, userId, id),
      store.listOrderLines(free, [id]),
      this.#options.payments.readLedgers(free, [id]),
    ]);
    return order && showOrder(order, lines.get(id) ?? [], requireLedger(ledgers, id), this.#paymentContext);
  }

  /** The user's orders, newest first. */
  async listHistory(userId: string): Promise<ShownOrder[]> {
    return this.#showAll(this.#db, await store.listUserOrders(this.#db, userId, HISTORY_LIMIT));
  }

  /** Billing details of the user's newest order that still has them; null: none. */
  async findLastBilling(userId: string): Promise<BillingDetails | null> {
    const billing = await store.findLastBilling(this.#db, userId);
    return billing && snapshotBilling(billing);
  }

  async listIds(userId: string): Promise<string[]> {
    return store.listUserOrderIds(this.#db, userId);
  }

  /** Whether the user has a paid order of the product. */
  async hasPaidFor(userId: string, productId: string): Promise<boolean> {
    return store.hasPaidFor(this.#db, userId, productId);
  }

  listOpenIds(): Promise<string[]> {
    return store.listOpenIds(this.#db);
  }

  /** Locks the open unpaid orders that contain one of these variants. */
  lockOpenOrdersWith(tx: Db, variantIds: readonly string[]): Promise<readonly OpenOrderQuantity[]> {
    return lockOpenOrdersWith(tx, variantIds);
  }

  /**
   * Payment according to the ledger, read in one statement without asking a node. `success` is
   * false while the chain source is down.
   */
  async checkPayment(userId: string, id: string): Promise<PaymentCheck | null> {
    const found = await findWithLedger(this.#db, userId, id);
    if (!found) return null;
    const { order, ledger } = found;
    const payment = showPayment(order, ledger, this.#paymentContext);
    return { success: payment.chain === 'up', isPaid: order.payment_status === 'paid', payment };
  }

  /** The verified address of the open order; null without an open order. */
  async findOpenAddress(userId: string): Promise<string | null> {
    const order = await store.findOpenOrder(this.#db, userId);
    return order && this.#options.payments.getVerifiedAddress(this.#db, order.id);
  }

  /** Address and missing amount of any user's order. */
  async findAmountDue(id: string): Promise<{ readonly address: string; readonly missingSats: Sats } | null> {
    const [order] = await store.findOrders(this.#db, [id]);
    if (!order) return null;
    const ledger = await this.#readLedger(this.#db, order);
    return { address: ledger.address, missingSats: evaluateOrder(order, ledger).missingSats };
  }

  // ---- order events

  /**
   * Marks a pending order as paid according to the buyer, which never counts as a payment. Null as
   * for `find`.
   */
  async markUserPaid(userId: string, id: string): Promise<ShownOrder | null> {
    return transact(this.#db, async (tx) => {
      const now = this.#options.clock.now();
      if (await store.markUserPaid(tx, userId, id, now)) await this.appendEvent(tx, id, 'user_paid', now, {});
      return commitWith(this.findWithin(tx, userId, id));
    });
  }

  /** Appends an order event; false for a repeated event of a kind that happens once. */
  async appendEvent(tx: Db, orderId: string, kind: OrderEventKind, at: Date, details: object): Promise<boolean> {
    const isNew = await store.appendEvent(tx, store.createEvent(orderId, kind, at, details));
    if (isNew) this.#options.onChanged?.(tx, [orderId]);
    return isNew;
  }

  // ---- showing

  /** Whether the chain source responds. */
  get chainStatus(): ChainStatus {
    return this.#options.payments.isUp() ? 'up' : 'down';
  }

  get #paymentContext(): PaymentContext {
    const { identity, orders } = this.#options.shopSettings.current;
    const shop = { name: identity.name, orderPrefix: orders.order_prefix };
    return { writeUri: createBip21Uri, chain: this.chainStatus, shop };
  }

  async #show(db: Db, order: OrderRow): Promise<ShownOrder> {
    const [shown] = await this.#showAll(db, [order]);
    if (!shown) throw new Error('an order could not be read');
    return shown;
  }

  async #showAll(db: Db, orders: readonly OrderRow[]): Promise<ShownOrder[]> {
    const ids = orders.map(({ id }) => id);
    const lines = await store.listOrderLines(db, ids);
    const ledger = await this.#options.payments.readLedgers(db, ids);
    return orders.map((order) =>
      showOrder(order, lines.get(order.id) ?? [], requireLedger(ledger, order.id), this.#paymentContext),
    );
  }

  async #readLedger(db: Db, order: OrderRow): Promise<OrderLedger> {
    return requireLedger(await this.#options.payments.readLedgers(db, [order.id]), order.id);
  }
}
