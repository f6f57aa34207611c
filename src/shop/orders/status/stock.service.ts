/** Where the units and the promo use of an order are: held for it, its own, or for sale again. */
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { ReservationResult } from '#src/shop/inventory/reservation.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { formatShortage } from '#src/shop/inventory/format-shortage.ts';
import { createAmountDetails } from './evaluate-order.ts';
import { describeReservationLimit, getReservationTerms } from '../checkout/reservation-limits.ts';
import type { CountedQuote } from '../checkout/reservation-limits.ts';
import type { Orders } from '../service.ts';
import type { Reconciliation } from './reconcile-order.ts';
import { formatOrderNumber } from '../show-order.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import type { Unavailable } from './requote-error.ts';
import { stockOf } from './stock-of.ts';
import * as store from './store.ts';
import type { FulfilmentOrder, OrderedLine } from './store.ts';
import { decideStockAfterRefund } from './stock-after-refund.ts';

export interface OrderStockOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly catalogue: Pick<
    Catalogue,
    | 'recordSale'
    | 'reserveStockUncapped'
    | 'hasReservation'
    | 'releaseStock'
    | 'reserveStock'
    | 'secureStock'
    | 'commitReservation'
    | 'restock'
  >;
  readonly promotions: Pick<Promotions, 'redeem' | 'restoreUses'>;
}

export interface RequoteToReserve {
  readonly counted: CountedQuote | null;
  readonly network: string | null;
  /** Most of the new amount was received in time. */
  readonly isSecured: boolean;
}

/** All in the caller's transaction, which holds the orders' row locks. */
export class OrderStock {
  readonly #options: OrderStockOptions;

  constructor(options: OrderStockOptions) {
    this.#options = options;
  }

  /** Orders that are paid for the first time: what they held is sold. */
  async commitReservations(tx: Db, paid: readonly string[]): Promise<void> {
    if (paid.length === 0) return;
    await this.#options.catalogue.commitReservation(tx, paid);
    await this.#options.catalogue.recordSale(tx, (await store.listOrderLines(tx, paid)).map(stockOf));
  }

  /** What an order that is closed without a payment held is there for others. */
  async releaseReservation(tx: Db, { id, fulfilment_status: fulfilment }: FulfilmentOrder): Promise<void> {
    if (fulfilment !== 'unfulfilled') return;
    await this.#options.catalogue.releaseStock(tx, [id]);
    await this.#options.promotions.restoreUses(tx, [id]);
  }

  /**
   * What is an order's own is held for it, as before it was paid; its promo use is free. What was sent stays where it is.
   * The caller has `reserveAgain` take both.
   */
  async restockForRequote(tx: Db, order: FulfilmentOrder, lines: readonly OrderedLine[]): Promise<void> {
    if (order.fulfilment_status !== 'unfulfilled' || order.units_returned_at !== null) return;
    await this.#options.catalogue.restock(tx, lines.map(stockOf));
    await this.#options.promotions.restoreUses(tx, [order.id]);
  }

  /** Takes again what an order gave back when it was closed: all of it, or nothing and what is gone. */
  async reserveAgain(
    tx: Db,
    order: FulfilmentOrder,
    lines: readonly OrderedLine[],
    now: Date,
  ): Promise<Unavailable | null> {
    // What was sent needs nothing from stock.
    if (order.fulfilment_status !== 'unfulfilled') return null;
    const units = lines.map(stockOf);
    const short = await this.#options.catalogue.reserveStockUncapped(tx, order.id, units);
    if (short.length > 0) return { reason: 'sold-out', words: formatShortage(short, units) };
    return this.#reclaimPromo(tx, order, now);
  }

  /** As `holdAgain`, for a requote: within the caps of the account and its network. The caller undoes it when refused. */
  async reserveForRequote(
    tx: Db,
    order: FulfilmentOrder,
    lines: readonly OrderedLine[],
    now: Date,
    { counted, network, isSecured }: RequoteToReserve,
  ): Promise<{ readonly reservation: ReservationResult; readonly gone: Unavailable | null }> {
    if (order.fulfilment_status !== 'unfulfilled') return { reservation: { ok: true, isScarce: false }, gone: null };
    const units = lines.map(stockOf);
    const terms = Promise.resolve(getReservationTerms(counted));
    const request = { orderId: order.id, lines: units, network, isSecured, terms };
    const reservation = await this.#options.catalogue.reserveStock(tx, request);
    if (reservation.ok) return { reservation, gone: await this.#reclaimPromo(tx, order, now) };
    const gone: Unavailable =
      reservation.reason === 'sold-out'
        ? { reason: 'sold-out', words: formatShortage(reservation.short, units) }
        : { reason: 'reserve-limit', words: describeReservationLimit(reservation.of, counted) };
    return { reservation, gone };
  }

  /** Most of what these orders ask for was seen: what they reserve is theirs as long as they are open. */
  async secureReservation(tx: Db, id: string): Promise<void> {
    await this.#options.catalogue.secureStock(tx, [id]);
  }

  hasReservation(tx: Db, id: string): Promise<boolean> {
    return this.#options.catalogue.hasReservation(tx, id);
  }

  async #reclaimPromo(tx: Db, order: FulfilmentOrder, now: Date): Promise<Unavailable | null> {
    const { catalogue, promotions } = this.#options;
    if (order.promo === null) return null;
    const use = { promotionId: order.promo.id, orderId: order.id, userId: order.user_id, at: now };
    if ((await promotions.redeem(tx, use, true)) === null) return null;
    await catalogue.releaseStock(tx, [order.id]);
    return { reason: 'promo', words: `The promo code ${order.promo.code} has been used up since` };
  }

  /** What a closed order gave back, or what was its own before that: it has it again, or what is gone is answered. */
  async restoreStock(tx: Db, order: FulfilmentOrder, now: Date): Promise<Unavailable | null> {
    if (order.units_returned_at !== null) return this.reserveAndCommit(tx, order, now);
    return this.reserveAgain(tx, order, await store.listOrderLines(tx, [order.id]), now);
  }

  /** As `holdAgain`, for a late payment of an expired order; false, and staff are told once, when something is gone. */
  async reserveForLatePayment(tx: Db, order: FulfilmentOrder, { change }: Reconciliation, now: Date): Promise<boolean> {
    const { log, orders } = this.#options;
    const gone = await this.reserveAgain(tx, order, await store.listOrderLines(tx, [order.id]), now);
    if (gone === null) return true;
    const [{ words }, kind] = [gone, gone.reason === 'promo' ? 'late_promo_gone' : 'late_sold_out'] as const;
    if (await orders.appendEvent(tx, order.id, kind, now, { ...createAmountDetails(order, change), words })) {
      log.warn({ number: formatOrderNumber(order.number), words }, 'a late payment waits: what it pays for is gone');
    }
    return false;
  }

  /** What refunds of the whole make of the units of these orders; they are as they were locked. */
  async applyRefunds(tx: Db, orders: readonly FulfilmentOrder[], now: Date): Promise<void> {
    const { log } = this.#options;
    const refunded: string[] = [];
    for (const order of orders) {
      const step = decideStockAfterRefund(order);
      if (step === 'put-back') refunded.push(order.id);
      if (step !== 'take-again') continue;
      const gone = await this.reserveAndCommit(tx, order, now);
      if (gone === null) continue;
      const { words } = gone;
      await this.#options.orders.appendEvent(tx, order.id, 'units_gone', now, { words });
      log.error(
        { number: formatOrderNumber(order.number), words },
        'a refund was given up, and what was ordered is gone',
      );
    }
    if (refunded.length > 0) await this.restock(tx, refunded, now);
  }

  /** What was the orders' own is for sale again. Several in one go, so that their stock is locked in one order. */
  async restock(tx: Db, refunded: readonly string[], now: Date): Promise<void> {
    const { catalogue, orders, promotions } = this.#options;
    const ids = await store.markRestocked(tx, refunded, now);
    await catalogue.restock(tx, (await store.listOrderLines(tx, ids)).map(stockOf));
    await promotions.restoreUses(tx, ids);
    for (const id of ids) await orders.appendEvent(tx, id, 'units_returned', now, {});
  }

  /** An order that is not refunded after all has its units again; or not, and what is gone. */
  async reserveAndCommit(tx: Db, order: FulfilmentOrder, now: Date): Promise<Unavailable | null> {
    const gone = await this.reserveAgain(tx, order, await store.listOrderLines(tx, [order.id]), now);
    if (gone !== null) return gone;
    await store.clearRestocked(tx, order.id);
    await this.commitReservations(tx, [order.id]);
    await this.#options.orders.appendEvent(tx, order.id, 'units_taken', now, {});
    return null;
  }
}
