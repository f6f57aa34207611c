/** Orders: made from the cart, and shown with what the chain says of their payment. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { bip21Uri } from '#src/platform/bitcoin/bip21.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { atOnce, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import { promoErrorOf } from '#src/shop/cart/show-cart.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { tellShortage } from '#src/shop/inventory/tell-shortage.ts';
import type { Reservation } from '#src/shop/inventory/reservation.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { keepPromotion } from '#src/shop/promotions/kept-promotion.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import type { Promotions, Use } from '#src/shop/promotions/service.ts';
import { CheckoutRefused } from './checkout/checkout-refused.ts';
import type { NotCheckedOut } from './checkout/checkout-refused.ts';
import { evaluateOrder } from './status/evaluate-order.ts';
import { bookIn } from './stored-order.ts';
import type { OrderBook, BillingDetails } from './stored-order.ts';
import { keepBilling, keepLine, keepRate, quoteOrder } from './status/quote-order.ts';
import { isCountryInRegion, refuseCheckout } from './checkout/refuse-checkout.ts';
import type { CheckoutRefusal } from './checkout/refuse-checkout.ts';
import { showOrder, showPayment } from './show-order.ts';
import type { ChainSight, ShownOrder, ShownPayment } from './show-order.ts';
import { findWithLedger } from './status/ledger.store.ts';
import * as quotes from './checkout/quotes.store.ts';
import { adviseOnLimit, shortWindow, termsOf } from './checkout/reservation-limits.ts';
import type { CountedQuote, ReservationLimits } from './checkout/reservation-limits.ts';
import * as store from './store.ts';
import type { OrderRow } from './store.ts';

const DAY_MS = 24 * 3600 * 1000;
const PAID_SHOWN_MS = DAY_MS;
const EXPIRED_SHOWN_MS = 7 * DAY_MS;
const HISTORY_LIMIT = 200;
const CHECKOUT = 'POST /cart/checkout';
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

export interface OrdersOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: RateSource;
  readonly carts: Carts;
  readonly catalogue: Pick<Catalogue, 'reserveStock'>;
  readonly promotions: Pick<Promotions, 'take'>;
  readonly payments: Pick<Payments, 'dustSats' | 'issueAddress' | 'ledgerOf' | 'verifiedAddressOf' | 'isUp'>;
  /** Brings orders to what their ledger says: of one that costs nothing, that it is paid. */
  readonly settle: (tx: Db, orderIds: readonly string[]) => Promise<void>;
  readonly paymentWindowSeconds: number;
  readonly confirmationSteps: ConfirmationSteps;
  /** Null: as many quotes and reservations as anybody likes. */
  readonly reservationLimits: ReservationLimits | null;
  readonly tolerance: PaymentTolerance;
  /** Hears in the transaction which orders it makes different. */
  readonly onTouched?: (tx: Db, orderIds: readonly string[]) => void;
}

export interface Checkout {
  readonly userId: string;
  readonly billing: BillingDetails;
  readonly idempotencyKey: string | null;
  /** Where the caller is: an IPv4 address or an IPv6 /64; null or left out: not counted by network. */
  readonly network?: string | null;
}
export type CheckedOut = { readonly ok: true; readonly order: ShownOrder } | NotCheckedOut;

interface Made {
  readonly id: string;
  /** Null where it has to be read. */
  readonly order: ShownOrder | null;
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
      const { id, order } = await transact(this.#db, (tx) => this.#placeOnce(tx, checkout));
      return { ok: true, order: order ?? (await this.#showMade(checkout.userId, id)) };
    } catch (error) {
      if (error instanceof CheckoutRefused) return error.refused;
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      throw error;
    }
  }

  /** The order itself, where it is known without reading it again. */
  async #placeOnce(tx: Db, checkout: Checkout): Promise<Made> {
    const { userId, billing, idempotencyKey } = checkout;
    if (idempotencyKey === null) return this.#place(tx, checkout);
    const request = { userId, endpoint: CHECKOUT, key: idempotencyKey };
    const requestHash = createHash('sha256').update(JSON.stringify(billing)).digest();
    if (await store.takeKey(tx, request, requestHash, this.#options.clock.now())) {
      const made = await this.#place(tx, checkout);
      await store.bindKey(tx, request, made.id);
      return made;
    }
    const first = await store.findKey(tx, request);
    if (!first?.order_id) throw new Error('an idempotency key is bound to no order');
    if (!first.request_hash.equals(requestHash)) throw new CheckoutRefused('key-reused');
    return { id: first.order_id, order: null };
  }

  async #place(tx: Db, { userId, billing, network = null }: Checkout): Promise<Made> {
    const { carts, catalogue, clock, confirmationSteps, payments, rates, tolerance } = this.#options;
    const quoted = rates.current();
    const rate = quoted && centsPerBtc(quoted.centsPerBtc);
    const now = clock.now();
    const cart = rate && (await carts.lockForCheckout(tx, userId, rate));
    const refused: CheckoutRefusal | null = rate ? refuseCheckout(cart, payments.dustSats) : { reason: 'no-rate' };
    if (refused || !rate || !cart) {
      // The order that is open has emptied the cart, and is what is said then. What guards is the unique index.
      if (await store.findOpenOrder(tx, userId)) throw new CheckoutRefused('order-open');
      throw new CheckoutRefused(refused?.reason ?? 'empty-cart', refused ?? {});
    }

    const id = uuidv7();
    const windowSeconds = this.#options.paymentWindowSeconds;
    const quote = quoteOrder(cart.totals, { rate, now, windowSeconds, confirmationSteps, tolerance });
    const promo = cart.promotion && JSON.stringify(keepPromotion(cart.promotion));
    const written = { billing: JSON.stringify(keepBilling(billing)), rate_evidence: keepRate(quoted), promo };
    const row = { ...quote, ...written, id, user_id: userId, payment_status: 'pending' as const, is_open: true };
    const lines = cart.lines.map(keepLine);
    const created = store.newEvent(id, 'created', now, { due_sats: String(quote.due_sats) });
    // The network's count is locked before the stock: orders of one network reserve one after the other.
    const [counted, made, , reservation] = await atOnce(tx, (free) => {
      const counting = this.countQuote(free, userId, network, now);
      const request = { orderId: id, lines: cart.lines, network, isSecured: false, terms: counting.then(termsOf) };
      return [
        counting,
        store.insertOrder(free, row, lines, created),
        carts.emptyAfterCheckout(free, userId),
        catalogue.reserveStock(free, request),
      ];
    });
    refuseQuote(counted, reservation, cart.lines);
    const order = { ...made, ...(await this.shortenWindow(tx, made, counted, reservation, now)) };
    await this.#takePromotion(tx, cart.promotion, { orderId: id, userId, at: now });
    const address = await payments.issueAddress(tx, id);
    this.#options.onTouched?.(tx, [id]);
    if (quote.due_sats > 0n)
      return { id, order: showOrder(order, lines, { address, outputs: [], tip: null }, bip21Uri, this.chain) };
    await this.#options.settle(tx, [id]);
    return { id, order: null };
  }

  async #takePromotion(tx: Db, promotion: Promotion | null, use: Omit<Use, 'promotionId'>): Promise<void> {
    if (promotion === null) return;
    const promotionProblem = await this.#options.promotions.take(tx, { ...use, promotionId: promotion.id });
    const words = promoErrorOf({ promotion, promotionProblem });
    if (words !== null) throw new CheckoutRefused('promo', { words });
  }

  /**
   * Counts a quote, of a new order or a requote, for its account and its network. Both counts stay locked to the end of
   * the transaction. Null when limits are off.
   */
  async countQuote(tx: Db, userId: string, network: string | null, now: Date): Promise<CountedQuote | null> {
    const { reservationLimits: limits } = this.#options;
    if (limits === null) return null;
    const { quotesPerDay: userLimit, networkQuotesPerDay: networkLimit } = limits;
    const quote = { userId, network, now, dayAgo: new Date(now.getTime() - DAY_MS), userLimit, networkLimit };
    const { isWithin, isEmailConfirmed } = await quotes.countQuote(tx, quote);
    if (isWithin) return { retryAfterSeconds: null, isEmailConfirmed, limits };
    const began = (await quotes.fullCountBegan(tx, quote)) ?? now;
    const retryAfterSeconds = Math.max(1, Math.ceil((began.getTime() + DAY_MS - now.getTime()) / 1000));
    return { retryAfterSeconds, isEmailConfirmed, limits };
  }

  /** Scarce items are reserved for a short time: the window of the order's quote ends with it. What changed of the order. */
  async shortenWindow(
    tx: Db,
    order: { readonly id: string; readonly expires_at: Date },
    counted: CountedQuote | null,
    reservation: Reservation,
    now: Date,
  ): Promise<Partial<NonNullable<ReturnType<typeof shortWindow>>>> {
    const isScarce = reservation.ok && reservation.isScarce;
    const window = counted && isScarce ? shortWindow(now, order.expires_at, counted.limits) : null;
    if (window === null) return {};
    await quotes.shortenWindow(tx, order.id, window);
    return window;
  }

  /** Removes counts that are over; to be called now and then. */
  async forgetOld(): Promise<void> {
    await quotes.deleteOldCounts(this.#db, new Date(this.#options.clock.now().getTime() - DAY_MS));
  }

  async #showMade(userId: string, id: string): Promise<ShownOrder> {
    const order = await this.find(userId, id);
    if (!order) throw new Error('an order that was made is not there');
    return order;
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

  /** The billing details of the user's newest order; null before the first. */
  async lastBilling(userId: string): Promise<BillingDetails | null> {
    const billing = await store.findLastBilling(this.#db, userId);
    return billing && keepBilling(billing);
  }

  async idsOf(userId: string): Promise<string[]> {
    return store.listIdsOf(this.#db, userId);
  }

  /** Whether the user has an order of the product that is paid. */
  async hasPaidFor(userId: string, productId: string): Promise<boolean> {
    return store.hasPaidFor(this.#db, userId, productId);
  }

  openIds(): Promise<string[]> {
    return store.listOpenIds(this.#db);
  }

  /** What the ledger says, in one statement; no node is asked. `success` is false while the chain source is down. */
  async checkPayment(userId: string, id: string): Promise<PaymentCheck | null> {
    const found = await findWithLedger(this.#db, userId, id);
    if (!found) return null;
    const { order, book } = found;
    const payment = showPayment(order, book, bip21Uri, this.chain);
    return { success: payment.chain === 'up', isPaid: order.payment_status === 'paid', payment };
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
      if (await store.markUserPaid(tx, userId, id, now)) await this.report(tx, id, 'user_paid', now, {});
      const order = await store.findOrderOf(tx, userId, id);
      return order && this.#show(tx, order);
    });
  }

  /** Appends to an order's timeline; false when it is something that happens once and has happened. */
  async report(tx: Db, orderId: string, kind: string, at: Date, details: object): Promise<boolean> {
    const isNew = await store.appendEvent(tx, store.newEvent(orderId, kind, at, details));
    if (isNew) this.#options.onTouched?.(tx, [orderId]);
    return isNew;
  }

  // ---- showing

  /** Whether the chain is seen at the moment. */
  get chain(): ChainSight {
    return this.#options.payments.isUp() ? 'up' : 'down';
  }

  async #show(db: Db, order: OrderRow): Promise<ShownOrder> {
    const [shown] = await this.#showAll(db, [order]);
    if (!shown) throw new Error('an order was not shown');
    return shown;
  }

  async #showAll(db: Db, orders: readonly OrderRow[]): Promise<ShownOrder[]> {
    const ids = orders.map(({ id }) => id);
    const lines = await store.linesOf(db, ids);
    const ledger = await this.#options.payments.ledgerOf(db, ids);
    return orders.map((order) =>
      showOrder(order, lines.get(order.id) ?? [], bookIn(ledger, order.id), bip21Uri, this.chain),
    );
  }

  async #bookOf(db: Db, order: OrderRow): Promise<OrderBook> {
    return bookIn(await this.#options.payments.ledgerOf(db, [order.id]), order.id);
  }
}

/** @throws CheckoutRefused when the quote is one too many, or its items can't be reserved. */
function refuseQuote(
  counted: CountedQuote | null,
  reservation: Reservation,
  lines: readonly { readonly productId: string; readonly name: string }[],
): void {
  const retryAfterSeconds = counted?.retryAfterSeconds ?? null;
  if (retryAfterSeconds !== null) throw new CheckoutRefused('too-often', { retryAfterSeconds });
  if (reservation.ok) return;
  if (reservation.reason === 'reserve-limit') {
    throw new CheckoutRefused('reserve-limit', { words: adviseOnLimit(reservation.of, counted) });
  }
  const { short } = reservation;
  const isReducible = short.some(({ available }) => available > 0);
  const isAnyGone = short.some(({ available }) => available === 0);
  const removing = isReducible ? 'Remove what is sold out and reduce the quantity' : 'Remove it from your cart';
  const advice = isAnyGone ? removing : 'Reduce the quantity';
  throw new CheckoutRefused('sold-out', { words: `${tellShortage(short, lines)}. ${advice} to continue` });
}
