/** Orders: checkout, reading, and the order events. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { createBip21Uri } from '#src/platform/bitcoin/bip21.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { ChangedMeanwhileError, pipeline, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { getPromoError } from '#src/shop/cart/cart-response.ts';
import type { ReservationResult } from '#src/shop/inventory/reservation.ts';
import type { Inventory } from '#src/shop/inventory/service.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { snapshotPromotion } from '#src/shop/promotions/promotion-snapshot.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import type { Promotions, PromotionUse } from '#src/shop/promotions/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { assertReserved } from './checkout/assert-reserved.ts';
import { CheckoutError } from './checkout/checkout-error.ts';
import type { Checkout, CheckoutResult, PlacedOrder } from './checkout/checkout-request.ts';
import { evaluateOrder } from './status/evaluate-order.ts';
import { requireLedger } from './stored-order.ts';
import type { OrderLedger, BillingDetails } from './stored-order.ts';
import type { OrderEventKind } from './kinds.ts';
import { snapshotBilling, snapshotLine, snapshotRate, quoteOrder } from './status/quote-order.ts';
import { isCountryInRegion, findCheckoutProblem } from './checkout/find-checkout-problem.ts';
import type { CheckoutProblemDetails } from './checkout/find-checkout-problem.ts';
import { showOrder, showPayment } from './show-order.ts';
import type { ChainStatus, PaymentContext, ShownOrder, ShownPayment } from './show-order.ts';
import { findWithLedger } from './status/ledger.store.ts';
import * as buyers from './checkout/buyers.store.ts';
import * as keys from './checkout/idempotency-keys.store.ts';
import { lockOpenOrdersWith } from './open-orders.store.ts';
import type { OpenOrderQuantity } from './open-orders.store.ts';
import * as quotes from './checkout/quotes.store.ts';
import { snapshotCharges, toBuyer, withVatNumber } from './checkout/snapshot-charges.ts';
import { computeShortWindow, getReservationTerms } from './checkout/reservation-limits.ts';
import type { CountedQuote, ReservationLimits } from './checkout/reservation-limits.ts';
import * as store from './store.ts';
import type { OrderRow } from './store.ts';

export type { CheckoutResult } from './checkout/checkout-request.ts';
export type { OpenOrderQuantity } from './open-orders.store.ts';

const DAY_MS = 24 * 3600 * 1000;
const PAID_SHOWN_MS = DAY_MS;
const EXPIRED_SHOWN_MS = 7 * DAY_MS;
const HISTORY_LIMIT = 200;
const REPRICED = 'Prices changed just now. Check your cart and order again';
const CHECKOUT = 'POST /cart/checkout';
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

export interface OrdersOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: RateSource;
  readonly carts: Carts;
  readonly catalogue: Pick<Catalogue, 'lockUnchanged'>;
  readonly inventory: Pick<Inventory, 'reserve'>;
  readonly promotions: Pick<Promotions, 'redeem'>;
  readonly payments: Pick<
    Payments,
    'dustSats' | 'takeAddress' | 'issueAddress' | 'readLedgers' | 'getVerifiedAddress' | 'isUp'
  >;
  /** Reconciles orders with their ledger; an order with total 0 becomes paid. */
  readonly reconcile: (tx: Db, orderIds: readonly string[]) => Promise<void>;
  readonly paymentWindowSeconds: number;
  readonly confirmationSteps: ConfirmationSteps;
  /** Null disables the limits. */
  readonly reservationLimits: ReservationLimits | null;
  readonly tolerance: PaymentTolerance;
  readonly shopSettings: Pick<ShopSettings, 'current'>;
  /** Called within the transaction with the ids of changed orders. */
  readonly onChanged?: (tx: Db, orderIds: readonly string[]) => void;
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

  /** Places an order from the user's cart, or returns the order of the same idempotency key. */
  async checkout(checkout: Checkout): Promise<CheckoutResult> {
    const { billing, idempotencyKey } = checkout;
    if (idempotencyKey !== null && !KEY_PATTERN.test(idempotencyKey)) return { ok: false, reason: 'bad-key' };
    if (!isCountryInRegion(billing.country, billing.region)) return { ok: false, reason: 'country-not-in-region' };
    try {
      const { id, order } = await transact(this.#db, (tx) => this.#placeOnce(tx, checkout));
      return { ok: true, order: order ?? (await this.#showPlaced(checkout.userId, id)) };
    } catch (error) {
      if (error instanceof CheckoutError) return error.refused;
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      if (error instanceof ChangedMeanwhileError) return { ok: false, reason: 'repriced', words: REPRICED };
      throw error;
    }
  }

  /** Returns the order if it is known without another read. */
  async #placeOnce(tx: Db, checkout: Checkout): Promise<PlacedOrder> {
    const { userId, billing, idempotencyKey } = checkout;
    if (idempotencyKey === null) return this.#place(tx, checkout);
    const request = { userId, endpoint: CHECKOUT, key: idempotencyKey };
    const requestHash = createHash('sha256').update(JSON.stringify(billing)).digest();
    if (await keys.claimKey(tx, request, requestHash, this.#options.clock.now())) {
      const placed = await this.#place(tx, checkout);
      await keys.bindKey(tx, request, placed.id);
      return placed;
    }
    const first = await keys.findKey(tx, request);
    if (!first?.order_id) throw new Error('an idempotency key has no order');
    if (!first.request_hash.equals(requestHash)) throw new CheckoutError('key-reused');
    return { id: first.order_id, order: null };
  }

  async #place(tx: Db, { userId, billing, network = null, expectedTotalCents = null }: Checkout): Promise<PlacedOrder> {
    const { carts, catalogue, clock, confirmationSteps, inventory, payments, rates, tolerance } = this.#options;
    const quoted = rates.getCurrent();
    const rate = quoted && centsPerBtc(quoted.centsPerBtc);
    const now = clock.now();
    const cart = rate && (await carts.lockForCheckout(tx, userId, { rate, now, buyer: toBuyer(billing) }));
    if (await buyers.isBlocked(tx, userId)) throw new CheckoutError('blocked');
    const refused: CheckoutProblemDetails | null = rate
      ? findCheckoutProblem(cart, payments.dustSats, expectedTotalCents)
      : { reason: 'no-rate' };
    if (refused || !rate || !cart) {
      // An open order has emptied the cart, so report that. The unique index enforces the rule.
      if (await store.findOpenOrder(tx, userId)) throw new CheckoutError('order-open');
      throw new CheckoutError(refused?.reason ?? 'empty-cart', refused ?? {});
    }

    const id = uuidv7();
    const windowSeconds = this.#options.paymentWindowSeconds;
    const quote = quoteOrder(cart.totals, { rate, now, windowSeconds, confirmationSteps, tolerance });
    const promo = cart.promotion && JSON.stringify(snapshotPromotion(cart.promotion));
    const written = {
      billing: JSON.stringify(snapshotBilling(withVatNumber(billing, cart.charges))),
      rate_evidence: snapshotRate(quoted),
      promo,
    };
    const row = {
      ...quote,
      ...snapshotCharges(cart.charges),
      ...written,
      id,
      user_id: userId,
      payment_status: 'pending' as const,
      is_open: true,
    };
    const lines = cart.lines.map(snapshotLine);
    const created = store.createEvent(id, 'created', now, { due_sats: String(quote.due_sats) });
    // Locks the network's count before the stock, so orders of one network reserve one after the
    // other.
    const [counted, placed, , reservation] = await pipeline(tx, (free) => {
      const counting = this.countQuote(free, userId, network, now);
      const request = {
        orderId: id,
        lines: cart.lines,
        network,
        isSecured: false,
        terms: counting.then(getReservationTerms),
      };
      return [
        counting,
        store.insertOrder(free, row, lines, created),
        carts.emptyAfterCheckout(free, userId),
        inventory.reserve(free, request),
      ];
    });
    assertReserved(counted, reservation, cart.lines);
    const order = { ...placed, ...(await this.shortenWindow(tx, placed, counted, reservation, now)) };
    await this.#takePromotion(tx, cart.promotion, { orderId: id, userId, at: now });
    const taken = await payments.takeAddress();
    // Last, since edits wait until the end of the transaction.
    const [isUnchanged] = await pipeline(tx, (free) => [
      catalogue.lockUnchanged(free, cart.products),
      payments.issueAddress(free, id, taken),
    ]);
    if (!isUnchanged) throw new ChangedMeanwhileError();
    const { address } = taken;
    this.#options.onChanged?.(tx, [id]);
    if (quote.due_sats > 0n)
      return {
        id,
        order: showOrder(order, lines, { address, outputs: [], tip: null }, this.#paymentContext),
      };
    await this.#options.reconcile(tx, [id]);
    return { id, order: null };
  }

  async #takePromotion(
    tx: Db,
    promotion: Promotion | null,
    use: Pick<PromotionUse, 'orderId' | 'userId' | 'at'>,
  ): Promise<void> {
    if (promotion === null) return;
    const promotionProblem = await this.#options.promotions.redeem(tx, {
      ...use,
      promotionId: promotion.id,
      version: promotion.version,
    });
    const message = getPromoError({ promotion, promotionProblem });
    if (message !== null) throw new CheckoutError('promo', { words: message });
  }

  /**
   * Counts an order or requote for its account and its network. Locks both counts until the end of
   * the transaction. Null when limits are off.
   */
  async countQuote(tx: Db, userId: string, network: string | null, now: Date): Promise<CountedQuote | null> {
    const { reservationLimits: limits } = this.#options;
    if (limits === null) return null;
    const { quotesPerDay: userLimit, networkQuotesPerDay: networkLimit } = limits;
    const quote = { userId, network, now, dayAgo: new Date(now.getTime() - DAY_MS), userLimit, networkLimit };
    const { isWithin, isEmailConfirmed } = await quotes.countQuote(tx, quote);
    if (isWithin) return { retryAfterSeconds: null, isEmailConfirmed, limits };
    const began = (await quotes.findFullCountStart(tx, quote)) ?? now;
    const retryAfterSeconds = Math.max(1, Math.ceil((began.getTime() + DAY_MS - now.getTime()) / 1000));
    return { retryAfterSeconds, isEmailConfirmed, limits };
  }

  /** Shortens the payment window if items are scarce. Returns the changed columns. */
  async shortenWindow(
    tx: Db,
    order: { readonly id: string; readonly expires_at: Date },
    counted: CountedQuote | null,
    reservation: ReservationResult,
    now: Date,
  ): Promise<Partial<NonNullable<ReturnType<typeof computeShortWindow>>>> {
    const isScarce = reservation.ok && reservation.isScarce;
    const window = counted && isScarce ? computeShortWindow(now, order.expires_at, counted.limits) : null;
    if (window === null) return {};
    await quotes.shortenWindow(tx, order.id, window);
    return window;
  }

  /** Deletes expired quote counts. Runs periodically. */
  async deleteOldQuoteCounts(): Promise<void> {
    await quotes.deleteOldCounts(this.#db, new Date(this.#options.clock.now().getTime() - DAY_MS));
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

  /** The user's orders, newest first. */
  async listHistory(userId: string): Promise<ShownOrder[]> {
    return this.#showAll(this.#db, await store.listUserOrders(this.#db, userId, HISTORY_LIMIT));
  }

  /** Billing details of the user's newest order; null before the first. */
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
      const order = await store.findOwnOrder(tx, userId, id);
      return order && this.#show(tx, order);
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
