/** Where the units and the promo use of an order are: held for it, its own, or for sale again. */
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Reservation } from '#src/shop/inventory/reservation.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { tellShortage } from '#src/shop/inventory/tell-shortage.ts';
import { moneyOf } from './evaluate-order.ts';
import { adviseOnLimit, termsOf } from '../checkout/reservation-limits.ts';
import type { CountedQuote } from '../checkout/reservation-limits.ts';
import type { Orders } from '../service.ts';
import type { Settlement } from './settle-order.ts';
import { orderNumber } from '../show-order.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import type { Gone } from './requote-refused.ts';
import { stockOf } from './stock-of.ts';
import * as store from './store.ts';
import type { LivingOrder, OrderedLine } from './store.ts';
import { unitsAfterRefund } from './units-after-refund.ts';

export interface OrderUnitsOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'report'>;
  readonly catalogue: Pick<
    Catalogue,
    'sell' | 'holdStock' | 'isHolding' | 'releaseStock' | 'reserveStock' | 'secureStock' | 'settleStock' | 'takeBack'
  >;
  readonly promotions: Pick<Promotions, 'take' | 'giveBack'>;
}

export interface RequoteToReserve {
  readonly counted: CountedQuote | null;
  readonly network: string | null;
  /** Most of the new amount was received in time. */
  readonly isSecured: boolean;
}

/** All in the caller's transaction, which holds the orders' row locks. */
export class OrderUnits {
  readonly #options: OrderUnitsOptions;

  constructor(options: OrderUnitsOptions) {
    this.#options = options;
  }

  /** Orders that are paid for the first time: what they held is sold. */
  async sell(tx: Db, paid: readonly string[]): Promise<void> {
    if (paid.length === 0) return;
    await this.#options.catalogue.settleStock(tx, paid);
    await this.#options.catalogue.sell(tx, (await store.linesOf(tx, paid)).map(stockOf));
  }

  /** What an order that is closed without a payment held is there for others. */
  async release(tx: Db, { id, fulfilment_status: fulfilment }: LivingOrder): Promise<void> {
    if (fulfilment !== 'unfulfilled') return;
    await this.#options.catalogue.releaseStock(tx, [id]);
    await this.#options.promotions.giveBack(tx, [id]);
  }

  /**
   * What is an order's own is held for it, as before it was paid; its promo use is free. What was sent stays where it is.
   * The caller has `reserveAgain` take both.
   */
  async reopen(tx: Db, order: LivingOrder, lines: readonly OrderedLine[]): Promise<void> {
    if (order.fulfilment_status !== 'unfulfilled' || order.units_returned_at !== null) return;
    await this.#options.catalogue.takeBack(tx, lines.map(stockOf));
    await this.#options.promotions.giveBack(tx, [order.id]);
  }

  /** Takes again what an order gave back when it was closed: all of it, or nothing and what is gone. */
  async holdAgain(tx: Db, order: LivingOrder, lines: readonly OrderedLine[], now: Date): Promise<Gone | null> {
    // What was sent needs nothing from stock.
    if (order.fulfilment_status !== 'unfulfilled') return null;
    const units = lines.map(stockOf);
    const short = await this.#options.catalogue.holdStock(tx, order.id, units);
    if (short.length > 0) return { reason: 'sold-out', words: tellShortage(short, units) };
    return this.#takePromoAgain(tx, order, now);
  }

  /** As `holdAgain`, for a requote: within the caps of the account and its network. The caller undoes it when refused. */
  async reserveAgain(
    tx: Db,
    order: LivingOrder,
    lines: readonly OrderedLine[],
    now: Date,
    { counted, network, isSecured }: RequoteToReserve,
  ): Promise<{ readonly reservation: Reservation; readonly gone: Gone | null }> {
    if (order.fulfilment_status !== 'unfulfilled') return { reservation: { ok: true, isScarce: false }, gone: null };
    const units = lines.map(stockOf);
    const terms = Promise.resolve(termsOf(counted));
    const request = { orderId: order.id, lines: units, network, isSecured, terms };
    const reservation = await this.#options.catalogue.reserveStock(tx, request);
    if (reservation.ok) return { reservation, gone: await this.#takePromoAgain(tx, order, now) };
    const gone: Gone =
      reservation.reason === 'sold-out'
        ? { reason: 'sold-out', words: tellShortage(reservation.short, units) }
        : { reason: 'reserve-limit', words: adviseOnLimit(reservation.of, counted) };
    return { reservation, gone };
  }

  /** Most of what these orders ask for was seen: what they reserve is theirs as long as they are open. */
  async secure(tx: Db, id: string): Promise<void> {
    await this.#options.catalogue.secureStock(tx, [id]);
  }

  isHolding(tx: Db, id: string): Promise<boolean> {
    return this.#options.catalogue.isHolding(tx, id);
  }

  async #takePromoAgain(tx: Db, order: LivingOrder, now: Date): Promise<Gone | null> {
    const { catalogue, promotions } = this.#options;
    if (order.promo === null) return null;
    const use = { promotionId: order.promo.id, orderId: order.id, userId: order.user_id, at: now };
    if ((await promotions.take(tx, use, true)) === null) return null;
    await catalogue.releaseStock(tx, [order.id]);
    return { reason: 'promo', words: `The promo code ${order.promo.code} has been used up since` };
  }

  /** What a closed order gave back, or what was its own before that: it has it again, or what is gone is answered. */
  async haveAgain(tx: Db, order: LivingOrder, now: Date): Promise<Gone | null> {
    if (order.units_returned_at !== null) return this.takeAgain(tx, order, now);
    return this.holdAgain(tx, order, await store.linesOf(tx, [order.id]), now);
  }

  /** As `holdAgain`, for a late payment of an expired order; false, and staff are told once, when something is gone. */
  async holdForLate(tx: Db, order: LivingOrder, { change }: Settlement, now: Date): Promise<boolean> {
    const { log, orders } = this.#options;
    const gone = await this.holdAgain(tx, order, await store.linesOf(tx, [order.id]), now);
    if (gone === null) return true;
    const [{ words }, kind] = [gone, gone.reason === 'promo' ? 'late_promo_gone' : 'late_sold_out'];
    if (await orders.report(tx, order.id, kind, now, { ...moneyOf(order, change), words })) {
      log.warn({ number: orderNumber(order.number), words }, 'a late payment waits: what it pays for is gone');
    }
    return false;
  }

  /** What refunds of the whole make of the units of these orders; they are as they were locked. */
  async followRefunds(tx: Db, orders: readonly LivingOrder[], now: Date): Promise<void> {
    const { log } = this.#options;
    const refunded: string[] = [];
    for (const order of orders) {
      const step = unitsAfterRefund(order);
      if (step === 'put-back') refunded.push(order.id);
      if (step !== 'take-again') continue;
      const gone = await this.takeAgain(tx, order, now);
      if (gone === null) continue;
      const { words } = gone;
      await this.#options.orders.report(tx, order.id, 'units_gone', now, { words });
      log.error({ number: orderNumber(order.number), words }, 'a refund was given up, and what was ordered is gone');
    }
    if (refunded.length > 0) await this.putBack(tx, refunded, now);
  }

  /** What was the orders' own is for sale again. Several in one go, so that their stock is locked in one order. */
  async putBack(tx: Db, refunded: readonly string[], now: Date): Promise<void> {
    const { catalogue, orders, promotions } = this.#options;
    const ids = await store.noteUnitsReturned(tx, refunded, now);
    await catalogue.takeBack(tx, (await store.linesOf(tx, ids)).map(stockOf));
    await promotions.giveBack(tx, ids);
    for (const id of ids) await orders.report(tx, id, 'units_returned', now, {});
  }

  /** An order that is not refunded after all has its units again; or not, and what is gone. */
  async takeAgain(tx: Db, order: LivingOrder, now: Date): Promise<Gone | null> {
    const gone = await this.holdAgain(tx, order, await store.linesOf(tx, [order.id]), now);
    if (gone !== null) return gone;
    await store.noteUnitsTaken(tx, order.id);
    await this.sell(tx, [order.id]);
    await this.#options.orders.report(tx, order.id, 'units_taken', now, {});
    return null;
  }
}
