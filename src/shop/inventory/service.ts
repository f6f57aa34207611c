/**
 * Stock and its reservations by orders. Every method runs in the caller's transaction and locks stock in
 * ascending variant id. Variants whose stock is not tracked are always available.
 */
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { insertOrderHistory } from './adjustments/store.ts';
import type { Shortage } from './format-shortage.ts';
import type { StockQuantity } from './adjustments/stock-quantity.ts';
import type { ReservationRequest, ReservationResult } from './reservation.ts';
import * as store from './store.ts';
import type { OrderReservation, StockLevel } from './store.ts';

/** Stock that an order sold. Without the order it is not recorded in the history. */
export interface SoldQuantity extends StockQuantity {
  readonly orderId?: string;
}

const hasOrder = (sold: SoldQuantity): sold is SoldQuantity & { readonly orderId: string } =>
  sold.orderId !== undefined;

export class Inventory {
  readonly #clock: Clock;

  constructor(clock: Clock = { now: () => new Date() }) {
    this.#clock = clock;
  }

  /** Reserves all lines of an order within the caps, or none. */
  async reserve(tx: Db, request: ReservationRequest): Promise<ReservationResult> {
    return request.lines.length === 0 ? { ok: true, isScarce: false } : store.reserve(tx, request);
  }

  /** Reserves all lines of an order without caps, or none; returns the variants with too little stock. */
  async reserveUncapped(tx: Db, orderId: string, lines: readonly StockQuantity[]): Promise<readonly Shortage[]> {
    return lines.length === 0 ? [] : store.reserveUncapped(tx, orderId, lines);
  }

  /** Exempts reservations from the caps and the short window, once most of the amount was received. */
  secure(tx: Db, orderIds: readonly string[]): Promise<void> {
    return store.secureReservations(tx, orderIds);
  }

  /** Whether stock is reserved for an order. */
  hasReservation(tx: Db, orderId: string): Promise<boolean> {
    return store.hasReservation(tx, orderId);
  }

  /** Orders with reserved stock, the newest first, with their total number. */
  listReservations(
    db: Db,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly OrderReservation[]; readonly total: number }> {
    return store.listReservations(db, page);
  }

  /** Makes the reserved stock of orders available again. Idempotent. */
  async release(tx: Db, orderIds: readonly string[]): Promise<void> {
    const released = await store.deleteReservations(tx, orderIds);
    if (released.length > 0) await store.addAvailable(tx, released);
  }

  /** Ends the reservations of sold orders without releasing their stock. Idempotent. */
  async commit(tx: Db, orderIds: readonly string[]): Promise<void> {
    const sold = await store.deleteReservations(tx, orderIds);
    await insertOrderHistory(tx, 'sold', sold, this.#clock.now());
  }

  /** Makes sold stock available again. Not idempotent: call once. */
  async restock(tx: Db, sold: readonly SoldQuantity[]): Promise<void> {
    await store.addAvailable(tx, sold);
    await insertOrderHistory(tx, 'restocked', sold.filter(hasOrder), this.#clock.now());
  }

  /** Sells restocked stock again. May leave less than zero available. Not idempotent: call once. */
  async sellAgain(tx: Db, sold: readonly SoldQuantity[]): Promise<readonly Shortage[]> {
    const shortages = await store.takeAvailable(tx, sold);
    await insertOrderHistory(tx, 'sold', sold.filter(hasOrder), this.#clock.now());
    return shortages;
  }

  /** The available stock of those variants whose stock is tracked. Reserves nothing. */
  async countAvailable(db: Db, variantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return variantIds.length === 0 ? new Map() : store.countAvailable(db, variantIds);
  }

  /** Every variant whose stock is tracked, by id. */
  list(db: Db): Promise<readonly StockLevel[]> {
    return store.listStock(db);
  }
}
