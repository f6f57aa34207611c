/**
 * Stock and its reservations by orders. Every method runs in the caller's transaction and locks stock in
 * ascending product id. Products without limited stock are always available.
 */
import type { Db } from '#src/platform/database/database.ts';
import type { Shortage } from './format-shortage.ts';
import type { ReservationRequest, ReservationResult, StockQuantity } from './reservation.ts';
import * as store from './store.ts';
import type { OrderReservation, StockLevel } from './store.ts';

export class Inventory {
  /** Reserves all lines of an order within the caps, or none. */
  async reserve(tx: Db, request: ReservationRequest): Promise<ReservationResult> {
    return request.lines.length === 0 ? { ok: true, isScarce: false } : store.reserve(tx, request);
  }

  /** Reserves all lines of an order without caps, or none; returns the products with too little stock. */
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
    await store.deleteReservations(tx, orderIds);
  }

  /** Makes sold stock available again. Not idempotent: call once. */
  restock(tx: Db, sold: readonly StockQuantity[]): Promise<void> {
    return store.addAvailable(tx, sold);
  }

  /** The available stock of those products whose stock is limited. Reserves nothing. */
  async countAvailable(db: Db, productIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return productIds.length === 0 ? new Map() : store.countAvailable(db, productIds);
  }

  /** Every product with limited stock, by product id. */
  list(db: Db): Promise<readonly StockLevel[]> {
    return store.listStock(db);
  }

  /** Limits the stock of a product. Takes effect from the next checkout. */
  setAvailable(db: Db, productId: string, available: number): Promise<void> {
    return store.setAvailable(db, productId, available);
  }

  /** Makes the stock of a product unlimited. */
  removeLimit(db: Db, productId: string): Promise<void> {
    return store.removeLimit(db, productId);
  }
}
