/** Places orders: from the cart of a user, or from lines that staff put together for a buyer. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { ChangedMeanwhileError, pipeline, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { LineChange } from '#src/shop/cart/cart-calls.service.ts';
import type { CheckoutCart } from '#src/shop/cart/cart-context.service.ts';
import { getPromoError } from '#src/shop/cart/cart-response.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { Inventory } from '#src/shop/inventory/service.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { snapshotPromotion } from '#src/shop/promotions/promotion-snapshot.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import type { Promotions, PromotionUse } from '#src/shop/promotions/service.ts';
import type { PreparedTerms } from '../terms/service.ts';
import { showOrder } from '../show-order.ts';
import type { PaymentContext } from '../show-order.ts';
import { quoteOrder, snapshotBilling, snapshotLine, snapshotRate } from '../quote-order.ts';
import * as store from '../store.ts';
import type { OrderRow } from '../store.ts';
import type { BillingDetails } from '../stored-order.ts';
import { assertReserved } from './assert-reserved.ts';
import * as buyers from './buyers.store.ts';
import { CheckoutError } from './checkout-error.ts';
import type { CheckoutRejection } from './checkout-error.ts';
import type { Checkout, PlacedOrder } from './checkout-request.ts';
import { findAddressProblem, normaliseAddress } from './find-address-problem.ts';
import { findCheckoutProblem, isCountryInRegion } from './find-checkout-problem.ts';
import type { CheckoutProblemDetails } from './find-checkout-problem.ts';
import * as keys from './idempotency-keys.store.ts';
import { MANUAL_WINDOW_SECONDS } from './manual-window.ts';
import type { ManualWindow } from './manual-window.ts';
import type { QuoteLimits } from './quote-limits.service.ts';
import { getReservationNetwork, getReservationTerms } from './reservation-limits.ts';
import type { QuoteHolder } from './reservation-limits.ts';
import { snapshotCharges, toBuyer, withVatNumber } from './snapshot-charges.ts';

const REPRICED = 'Prices changed just now. Check your cart and order again';
const CHECKOUT = 'POST /cart/checkout';
const MANUAL = 'POST /support/orders';
const NO_TERMS: PreparedTerms = { ofConsumer: null, ofBusiness: null };
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

export interface OrderPlacementOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly carts: Pick<Carts, 'lockForCheckout' | 'emptyAfterCheckout' | 'ofStaff'>;
  readonly catalogue: Pick<Catalogue, 'lockUnchanged'>;
  readonly inventory: Pick<Inventory, 'reserve'>;
  readonly promotions: Pick<Promotions, 'redeem'>;
  readonly payments: Pick<Payments, 'dustSats' | 'takeAddress' | 'issueAddress'>;
  /** Reconciles orders with their ledger; an order with total 0 becomes paid. */
  readonly reconcile: (tx: Db, orderIds: readonly string[]) => Promise<void>;
  readonly paymentWindowSeconds: number;
  readonly confirmationSteps: ConfirmationSteps;
  readonly tolerance: PaymentTolerance;
  readonly quoteLimits: QuoteLimits;
  readonly getPaymentContext: () => PaymentContext;
  /** Stores the texts that an order placed now refers to. Omitted: none. */
  readonly prepareTerms?: () => Promise<PreparedTerms>;
  /** Called within the transaction with the ids of changed orders. */
  readonly onChanged?: (tx: Db, orderIds: readonly string[]) => void;
}

interface CartReading {
  readonly rate: CentsPerBtc;
  readonly now: Date;
}

/** Where an order comes from. */
interface OrderSource {
  readonly userId: string;
  readonly billing: BillingDetails;
  readonly expectedTotalCents: Cents | null;
  readonly holder: QuoteHolder;
  readonly windowSeconds: number;
  /** Null for the buyer. */
  readonly by: StaffActor | null;
  readonly readCart: (tx: Db, reading: CartReading) => Promise<CheckoutCart | null>;
  readonly emptyCart: (tx: Db) => Promise<void>;
}

type Placed = { readonly ok: true } & PlacedOrder;

/** An order that staff create for a buyer, from lines that no cart stores. */
export interface ManualOrder {
  readonly by: StaffActor;
  /** Finds or creates the buyer's account in the transaction of the order. Null: there is none. */
  readonly findBuyer: (tx: Db) => Promise<string | null>;
  readonly billing: BillingDetails;
  readonly lines: readonly LineChange[];
  /** Null for none. */
  readonly promoCode: string | null;
  /** Total that the member of staff saw. */
  readonly expectedTotalCents: Cents;
  readonly window: ManualWindow;
  readonly idempotencyKey: string | null;
  /** The whole request, which a repeated key must have again. */
  readonly request: string;
  /** Omitted: false. */
  readonly hasFreeDelivery?: boolean;
  /** The account of the buyer if `findBuyer` locks an order: it is locked before, as the deletion of an account does. */
  readonly knownBuyerId?: string;
  /** Called last in the transaction of the order. An error rolls it back. */
  readonly onPlaced?: (tx: Db, orderId: string) => Promise<void>;
}
export type ManualOrderResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'no-buyer' }
  /** For 'order-open': the id of the buyer's open order. */
  | (CheckoutRejection & { readonly openOrderId?: string });

export class OrderPlacement {
  readonly #options: OrderPlacementOptions;
  readonly #db: Db;

  constructor(options: OrderPlacementOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  /** Places an order from the user's cart, or returns the order of the same idempotency key. */
  async checkout(checkout: Checkout): Promise<Placed | CheckoutRejection> {
    const { carts, paymentWindowSeconds: windowSeconds } = this.#options;
    const { billing, expectedTotalCents = null, idempotencyKey, network = null, userId } = checkout;
    const source: OrderSource = {
      userId,
      billing,
      expectedTotalCents,
      holder: { kind: 'buyer', userId, network },
      windowSeconds,
      by: null,
      readCart: (tx, reading) => carts.lockForCheckout(tx, userId, { ...reading, buyer: toBuyer(billing) }),
      emptyCart: (tx) => carts.emptyAfterCheckout(tx, userId),
    };
    const request = { userId, endpoint: CHECKOUT, key: idempotencyKey, content: JSON.stringify(billing) };
    return this.#run(checkout, (tx, terms) => this.#placeOnce(tx, request, () => this.#place(tx, source, terms)));
  }

  /**
   * Creates an order for a buyer, whose cart stays as it is. Stock counts against the limits of the
   * member of staff.
   */
  async createManual(order: ManualOrder): Promise<ManualOrderResult> {
    const { billing, by, expectedTotalCents, findBuyer, hasFreeDelivery = false, idempotencyKey } = order;
    const { knownBuyerId, lines, onPlaced, promoCode } = order;
    const windowSeconds = MANUAL_WINDOW_SECONDS[order.window];
    const request = { userId: by.userId, endpoint: MANUAL, key: idempotencyKey, content: order.request };
    let buyerId: string | null = null;
    const place = async (tx: Db, terms: PreparedTerms): Promise<PlacedOrder> => {
      if (knownBuyerId !== undefined) await buyers.lockBuyer(tx, knownBuyerId);
      const userId = await findBuyer(tx);
      if (userId === null) throw new NoBuyerError();
      buyerId = userId;
      const readCart: OrderSource['readCart'] = async (db, reading) => {
        const cart = { lines, promoCode, hasFreeDelivery };
        const buyer = toBuyer(billing);
        const read = await this.#options.carts.ofStaff.readForCheckout(db, cart, userId, { ...reading, buyer });
        if (!read.ok) throw new CheckoutError(read.reason, { words: read.words });
        return read.cart;
      };
      const holder = { kind: 'staff', userId: by.userId } as const;
      const source = { userId, billing, expectedTotalCents, holder, windowSeconds, by, readCart };
      const placed = await this.#place(tx, { ...source, emptyCart: async () => {} }, terms);
      await onPlaced?.(tx, placed.id);
      return placed;
    };
    try {
      const placed = await this.#run(order, (tx, terms) => this.#placeOnce(tx, request, () => place(tx, terms)));
      if (placed.ok || placed.reason !== 'order-open' || buyerId === null) return placed;
      const open = await store.findOpenOrder(this.#db, buyerId);
      return open === null ? placed : { ...placed, openOrderId: open.id };
    } catch (error) {
      if (error instanceof NoBuyerError) return { ok: false, reason: 'no-buyer' };
      throw error;
    }
  }

  async #run(
    { billing, idempotencyKey }: Pick<Checkout, 'billing' | 'idempotencyKey'>,
    place: (tx: Db, terms: PreparedTerms) => Promise<PlacedOrder>,
  ): Promise<Placed | CheckoutRejection> {
    if (idempotencyKey !== null && !KEY_PATTERN.test(idempotencyKey)) return { ok: false, reason: 'bad-key' };
    if (!isCountryInRegion(billing.country, billing.region)) return { ok: false, reason: 'country-not-in-region' };
    const addressProblem = findAddressProblem(billing);
    if (addressProblem !== null) return { ok: false, reason: addressProblem };
    const terms = (await this.#options.prepareTerms?.()) ?? NO_TERMS;
    try {
      return { ok: true, ...(await transact(this.#db, (tx) => place(tx, terms))) };
    } catch (error) {
      if (error instanceof CheckoutError) return error.refused;
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      if (error instanceof ChangedMeanwhileError) return { ok: false, reason: 'repriced', words: REPRICED };
      throw error;
    }
  }

  /** Returns the order if it is known without another read. */
  async #placeOnce(
    tx: Db,
    { key, content, ...caller }: { userId: string; endpoint: string; key: string | null; content: string },
    place: () => Promise<PlacedOrder>,
  ): Promise<PlacedOrder> {
    if (key === null) return place();
    const request = { ...caller, key };
    const requestHash = createHash('sha256').update(content).digest();
    if (await keys.claimKey(tx, request, requestHash, this.#options.clock.now())) {
      const placed = await place();
      await keys.bindKey(tx, request, placed.id);
      return placed;
    }
    const first = await keys.findKey(tx, request);
    if (!first?.order_id) throw new Error('an idempotency key has no order');
    if (!first.request_hash.equals(requestHash)) throw new CheckoutError('key-reused');
    return { id: first.order_id, order: null };
  }

  async #place(tx: Db, source: OrderSource, terms: PreparedTerms): Promise<PlacedOrder> {
    const { catalogue, clock, confirmationSteps, inventory, payments, rates, tolerance } = this.#options;
    const { userId, billing, holder, windowSeconds } = source;
    const quoted = rates.getCurrent();
    const rate = quoted && centsPerBtc(quoted.centsPerBtc);
    const now = clock.now();
    // The cart is locked before the buyer's account.
    const [cart, isBlocked] = await pipeline(tx, (free) => [
      rate ? source.readCart(free, { rate, now }) : Promise.resolve(null),
      buyers.isBlocked(free, userId),
    ]);
    if (isBlocked) throw new CheckoutError('blocked');
    const refused: CheckoutProblemDetails | null = rate
      ? findCheckoutProblem(cart, payments.dustSats, source.expectedTotalCents)
      : { reason: 'no-rate' };
    if (refused || !rate || !cart) {
      // An open order has emptied the cart, so report that. The unique index enforces the rule.
      if (await store.findOpenOrder(tx, userId)) throw new CheckoutError('order-open');
      throw new CheckoutError(refused?.reason ?? 'empty-cart', refused ?? {});
    }

    const id = uuidv7();
    const quote = quoteOrder(cart.totals, { rate, now, windowSeconds, confirmationSteps, tolerance });
    const promo = cart.promotion && JSON.stringify(snapshotPromotion(cart.promotion));
    const delivery = snapshotBilling(withVatNumber(normaliseAddress(billing), cart.charges));
    const written = {
      billing: JSON.stringify(delivery),
      rate_evidence: snapshotRate(quoted),
      promo,
      terms_digest: delivery.vatNumber === undefined ? terms.ofConsumer : terms.ofBusiness,
    };
    const row = {
      ...quote,
      ...snapshotCharges(cart.charges),
      ...written,
      id,
      user_id: userId,
      created_by: source.by?.userId ?? null,
      payment_status: 'pending' as const,
      is_open: true,
    };
    const lines = cart.lines.map(snapshotLine);
    const created = createOrderEvent(id, quote, source.by, now);
    // Locks the network's count before the stock, so orders of one network reserve one after the
    // other.
    const [counted, placed, , reservation] = await pipeline(tx, (free) => {
      const counting = this.#options.quoteLimits.countQuote(free, holder, now);
      const request = {
        orderId: id,
        lines: cart.lines,
        network: getReservationNetwork(holder),
        isSecured: false,
        terms: counting.then(getReservationTerms),
      };
      return [
        counting,
        store.insertOrder(free, row, lines, created),
        source.emptyCart(free),
        inventory.reserve(free, request),
      ];
    });
    assertReserved(counted, reservation, cart.lines);
    const shortened = await this.#options.quoteLimits.shortenWindow(tx, placed, counted, reservation, now);
    const order = { ...placed, ...shortened };
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
    const isFree = quote.due_sats === 0n;
    if (isFree) await this.#options.reconcile(tx, [id]);
    if (source.by !== null) await recordCreation(tx, order, source.by);
    if (isFree) return { id, order: null };
    const ledger = { address, outputs: [], tip: null };
    return { id, order: showOrder(order, lines, ledger, this.#options.getPaymentContext()) };
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
}

const createOrderEvent = (
  id: string,
  { due_sats: due }: Pick<OrderRow, 'due_sats'>,
  by: StaffActor | null,
  now: Date,
) => store.createEvent(id, 'created', now, { due_sats: String(due), ...(by && { by: by.userId }) });

/** Rolls back an order for a buyer that does not exist. */
class NoBuyerError extends Error {}

/** The audit entry of an order that staff created. */
function recordCreation(tx: Db, order: OrderRow, by: StaffActor): Promise<void> {
  const { id, created_at: at, number, user_id: userId } = order;
  const after = {
    user_id: userId,
    total_cents: order.total_after_cents,
    due_sats: order.due_sats,
    expires_at: order.expires_at,
  };
  const subject = { kind: 'order', id, name: String(number) } as const;
  return recordChange(tx, { at, by, action: 'order.created', subject, before: null, after });
}
