/** The stock and the promotion use of an order: reserved, sold, or available again. */
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { formatShortage } from '#src/shop/inventory/format-shortage.ts';
import type { ReservationResult } from '#src/shop/inventory/reservation.ts';
import type { Inventory } from '#src/shop/inventory/service.ts';
import { createAmountDetails } from './evaluate-order.ts';
import { describeReservationLimit, getReservationTerms } from '../checkout/reservation-limits.ts';
import type { CountedQuote } from '../checkout/reservation-limits.ts';
import type { Orders } from '../service.ts';
import type { Reconciliation } from './reconcile-order.ts';
import { formatPromotionError } from '#src/shop/promotions/promotion-messages.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import type { Unavailable } from './requote-error.ts';
import { toStock } from './stock-of.ts';
import * as store from './store.ts';
import type { OrderForStatus, OrderedLine } from './store.ts';
import { decideStockAfterRefund } from './stock-after-refund.ts';

export interface OrderStockOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly inventory: Pick<
    Inventory,
    'reserve' | 'reserveUncapped' | 'secure' | 'hasReservation' | 'release' | 'commit' | 'restock' | 'sellAgain'
  >;
  readonly catalogue: Pick<Catalogue, 'recordSale' | 'reverseSale'>;
  readonly promotions: Pick<Promotions, 'redeem' | 'restoreUses'>;
}

export interface RequoteToReserve {
  readonly counted: CountedQuote | null;
  readonly network: string | null;
  /** Most of the new amount was received in time. */
  readonly isSecured: boolean;
  /** The promotion that the price depends on; undefined or null for none. */
  readonly promotion?: Pick<Promotion, 'id' | 'code' | 'version'> | null | undefined;
}

/** Every method runs in the caller's transaction, which holds the row locks of the orders. */
export class OrderStock {
  readonly #options: OrderStockOptions;

  constructor(options: OrderStockOptions) {
    this.#options = options;
  }

  /** Converts reservations into sales when their orders are first paid. */
  async commitReservations(tx: Db, paid: readonly string[]): Promise<void> {
    if (paid.length === 0) return;
    await this.#options.inventory.commit(tx, paid);
    await this.#options.catalogue.recordSale(tx, (await store.listUnshippedLines(tx, paid)).map(toStock));
  }

  /** Releases the reservation and the promotion use of an order that is closed without a payment. */
  async releaseReservation(tx: Db, { id, fulfilment_status: fulfilment, promo }: OrderForStatus): Promise<void> {
    if (fulfilment !== 'unfulfilled') return;
    await this.#options.inventory.release(tx, [id]);
    // Without a promo code there is no use.
    if (promo !== null) await this.#options.promotions.restoreUses(tx, [id]);
  }

  /**
   * Makes the sold stock and the promotion use of a paid order available again; shipped stock stays sold.
   * Call `reserveAgain` next, in the same transaction.
   */
  async restockForRequote(tx: Db, order: OrderForStatus, lines: readonly OrderedLine[]): Promise<void> {
    if (order.fulfilment_status !== 'unfulfilled' || order.units_returned_at !== null) return;
    await this.#restock(tx, lines);
    await this.#options.promotions.restoreUses(tx, [order.id]);
  }

  /** Reserves again what a closed order released: everything, or nothing and the reason. */
  async reserveAgain(
    tx: Db,
    order: OrderForStatus,
    lines: readonly OrderedLine[],
    now: Date,
  ): Promise<Unavailable | null> {
    // The units of an order that was shipped, or partly, stay sold.
    if (order.fulfilment_status !== 'unfulfilled') return null;
    return this.#reserveUncapped(tx, order, lines, now);
  }

  async #reserveUncapped(
    tx: Db,
    order: OrderForStatus,
    lines: readonly OrderedLine[],
    now: Date,
  ): Promise<Unavailable | null> {
    const quantities = lines.map(toStock);
    const shortages = await this.#options.inventory.reserveUncapped(tx, order.id, quantities);
    if (shortages.length > 0) return { reason: 'sold-out', words: formatShortage(shortages, quantities) };
    return this.#redeemPromotionAgain(tx, order, now);
  }

  /**
   * Like `reserveAgain`, within the caps of the account and its network. The caller rolls back when it is
   * unavailable.
   */
  async reserveForRequote(
    tx: Db,
    order: OrderForStatus,
    lines: readonly OrderedLine[],
    now: Date,
    { counted, network, isSecured, promotion = null }: RequoteToReserve,
  ): Promise<{ readonly reservation: ReservationResult; readonly unavailable: Unavailable | null }> {
    if (order.fulfilment_status !== 'unfulfilled')
      return { reservation: { ok: true, isScarce: false }, unavailable: null };
    const quantities = lines.map(toStock);
    const terms = Promise.resolve(getReservationTerms(counted));
    const request = { orderId: order.id, lines: quantities, network, isSecured, terms };
    const reservation = await this.#options.inventory.reserve(tx, request);
    if (reservation.ok) return { reservation, unavailable: await this.#redeem(tx, order, promotion, now) };
    const unavailable: Unavailable =
      reservation.reason === 'sold-out'
        ? { reason: 'sold-out', words: formatShortage(reservation.short, quantities) }
        : { reason: 'reserve-limit', words: describeReservationLimit(reservation.of, counted) };
    return { reservation, unavailable };
  }

  /** Secures a reservation for as long as the order is open, once most of the amount was received. */
  async secureReservation(tx: Db, id: string): Promise<void> {
    await this.#options.inventory.secure(tx, [id]);
  }

  hasReservation(tx: Db, id: string): Promise<boolean> {
    return this.#options.inventory.hasReservation(tx, id);
  }

  async #redeem(
    tx: Db,
    order: OrderForStatus,
    promotion: (RequoteToReserve['promotion'] & object) | null,
    now: Date,
  ): Promise<Unavailable | null> {
    if (promotion === null) return null;
    const { code, id: promotionId, version } = promotion;
    const use = { promotionId, version, orderId: order.id, userId: order.user_id, at: now };
    const problem = await this.#options.promotions.redeem(tx, use);
    if (problem === null) return null;
    return { reason: 'promo', words: formatPromotionError(code, problem, { minimumUsd: null, maxUsesPerUser: null }) };
  }

  async #redeemPromotionAgain(tx: Db, order: OrderForStatus, now: Date): Promise<Unavailable | null> {
    const { inventory, promotions } = this.#options;
    if (order.promo === null) return null;
    const use = { promotionId: order.promo.id, version: null, orderId: order.id, userId: order.user_id, at: now };
    if ((await promotions.redeem(tx, use)) === null) return null;
    await inventory.release(tx, [order.id]);
    return { reason: 'promo', words: `The promo code ${order.promo.code} has been used up` };
  }

  /** Reserves, or for an order whose sold stock was returned sells, the stock of a closed order again. */
  async restoreStock(tx: Db, order: OrderForStatus, now: Date): Promise<Unavailable | null> {
    if (order.units_returned_at !== null) return this.reserveAndCommit(tx, order, now);
    return this.reserveAgain(tx, order, await store.listOrderLines(tx, [order.id]), now);
  }

  /**
   * Like `reserveAgain`, for a late payment of an expired order. Returns false when something is unavailable,
   * and adds an event for staff once.
   */
  async reserveForLatePayment(tx: Db, order: OrderForStatus, { change }: Reconciliation, now: Date): Promise<boolean> {
    const { log, orders } = this.#options;
    const unavailable = await this.reserveAgain(tx, order, await store.listOrderLines(tx, [order.id]), now);
    if (unavailable === null) return true;
    const { words, reason } = unavailable;
    const kind = reason === 'promo' ? 'late_promo_gone' : 'late_sold_out';
    if (await orders.appendEvent(tx, order.id, kind, now, { ...createAmountDetails(order, change), words })) {
      log.warn({ number: String(order.number), words }, 'late payment on hold: its items are unavailable');
    }
    return false;
  }

  /** Restocks orders that became fully refunded and sells again the stock of orders that no longer are. */
  async applyRefunds(tx: Db, orders: readonly OrderForStatus[], now: Date): Promise<void> {
    const { log } = this.#options;
    const refunded: string[] = [];
    for (const order of orders) {
      const step = decideStockAfterRefund(order);
      if (step === 'restock') refunded.push(order.id);
      if (step !== 'reserve-again') continue;
      const unavailable = await this.reserveAndCommit(tx, order, now);
      if (unavailable === null) continue;
      const { words } = unavailable;
      await this.#options.orders.appendEvent(tx, order.id, 'units_gone', now, { words });
      log.error({ number: String(order.number), words }, 'refund withdrawn, but the items are unavailable');
    }
    if (refunded.length > 0) await this.restock(tx, refunded, now);
  }

  /** Makes the sold and unshipped stock of refunded orders available again. One call for all, which locks stock in id order. */
  async restock(tx: Db, refunded: readonly string[], now: Date): Promise<void> {
    const { orders, promotions } = this.#options;
    const ids = await store.markRestocked(tx, refunded, now);
    const lines = await store.listUnshippedLines(tx, ids);
    await this.#restock(tx, lines);
    await promotions.restoreUses(tx, ids);
    // Units that were refunded by line have an event of their own.
    const restocked = ids.filter((id) => lines.some(({ order_id: orderId }) => orderId === id));
    for (const id of restocked) await orders.appendEvent(tx, id, 'units_returned', now, {});
  }

  async #restock(tx: Db, lines: readonly OrderedLine[]): Promise<void> {
    const quantities = lines.map((line) => ({ ...toStock(line), orderId: line.order_id }));
    await this.#options.inventory.restock(tx, quantities);
    await this.#options.catalogue.reverseSale(tx, quantities);
  }

  /** Sells the stock of an order again after its refund was withdrawn: everything, or nothing and the reason. */
  async reserveAndCommit(tx: Db, order: OrderForStatus, now: Date): Promise<Unavailable | null> {
    const lines = await store.listUnshippedLines(tx, [order.id]);
    const unavailable = await this.#reserveUncapped(tx, order, lines, now);
    if (unavailable !== null) return unavailable;
    await store.clearRestocked(tx, order.id);
    await this.commitReservations(tx, [order.id]);
    await this.#options.orders.appendEvent(tx, order.id, 'units_taken', now, {});
    return null;
  }
}
