/** Corrections of recorded parcels by staff: another tracking number, or that there is no such parcel. */
import type { Db } from '#src/platform/database/database.ts';
import { getActorId } from '#src/shop/audit-log/actor.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { findRefundBlock } from '../status/find-refund-block.ts';
import type { OrderChangeRefusal, OrderChangeResult } from '../status/order-change-result.ts';
import { createOrderParts } from '../status/order-changes.service.ts';
import type { OrderPartsOptions } from '../status/order-changes.service.ts';
import * as orders from '../status/store.ts';
import type { OrderForStatus } from '../status/store.ts';
import { findCarrier } from './carriers.store.ts';
import { deleteSerials } from './serials.store.ts';
import * as store from './shipments.store.ts';
import { createTrackingUrl } from './tracking-url.ts';

export interface TrackingCorrection {
  /** Null: none. */
  readonly trackingNumber: string | null;
  /** Null: none. */
  readonly carrierId: string | null;
}

/** A parcel of an order. */
interface ParcelOf {
  readonly id: string;
  readonly number: number;
}

export class ShipmentCorrections {
  readonly #orders: OrderPartsOptions['orders'];
  readonly #parts: ReturnType<typeof createOrderParts>;

  constructor(options: OrderPartsOptions) {
    this.#orders = options.orders;
    this.#parts = createOrderParts(options);
  }

  /** Replaces carrier and tracking number; the buyer gets a mail. Idempotent. */
  correctTracking({ id, number }: ParcelOf, to: TrackingCorrection, by: Actor): Promise<OrderChangeResult> {
    return this.#parts.changes.decide(id, null, async (tx, _order, now) => {
      const shipment = await this.#find(tx, id, number);
      if (shipment === null || shipment.undone_at !== null) return { ok: false, reason: 'no-shipment' };
      const carrier = to.carrierId === null ? null : await findCarrier(tx, to.carrierId);
      if (to.carrierId !== null && carrier === null) return { ok: false, reason: 'unknown-carrier' };
      const [trackingNumber, carrierName] = [to.trackingNumber, carrier?.name ?? null];
      if (trackingNumber === shipment.tracking_number && carrierName === shipment.carrier_name) return null;
      const trackingUrl = carrier && createTrackingUrl(carrier.url_pattern, trackingNumber);
      await store.updateTracking(tx, { id: shipment.id, orderId: id, carrierName, trackingNumber, trackingUrl });
      await this.#orders.appendEvent(tx, id, 'tracking_corrected', now, { by: getActorId(by), shipment: number });
      await recordChange(tx, {
        at: now,
        by,
        action: 'order.tracking_corrected',
        hasCustomerData: true,
        subject: { kind: 'order', id },
        before: { shipment: number, carrier: shipment.carrier_name, trackingNumber: shipment.tracking_number },
        after: { shipment: number, carrier: carrierName, trackingNumber },
      });
      return null;
    });
  }

  /** Undoes a parcel that was recorded by mistake: its units are left to ship again. Idempotent. */
  undo({ id, number }: ParcelOf, by: Actor): Promise<OrderChangeResult> {
    return this.#parts.changes.decide(id, null, (tx, order, now) => this.#undo(tx, order, { number, by, now }));
  }

  async #undo(
    tx: Db,
    order: OrderForStatus,
    { by, now, number }: { readonly number: number; readonly by: Actor; readonly now: Date },
  ): Promise<OrderChangeRefusal | null> {
    const { id, fulfilment_status: before } = order;
    const shipment = await this.#find(tx, id, number);
    if (shipment === null) return { ok: false, reason: 'no-shipment' };
    if (shipment.undone_at !== null) return null;
    if (before === 'delivered') return { ok: false, reason: 'delivered' };
    const refund = findRefundBlock(order.refund_state);
    if (refund !== null) return { ok: false, reason: refund };
    if (order.units_returned_at !== null) return { ok: false, reason: 'refunding' };
    const serials = shipment.units.flatMap((one) => one.serials);
    if (serials.some((one) => one.is_returned)) return { ok: false, reason: 'parcel-returned' };
    const taken = await store.takeBackUnits(tx, shipment);
    if (taken !== null) return { ok: false, reason: taken };
    const numbers = serials.map((one) => one.number);
    await deleteSerials(tx, shipment.id, numbers);
    await store.markUndone(tx, shipment.id, now, getActorId(by));
    const to = await orders.writeShipmentUndone(tx, id);
    if (to === null) throw new Error(`order ${id} changed under its lock`);
    await this.#orders.appendEvent(tx, id, 'shipment_undone', now, { by: getActorId(by), shipment: number });
    await recordChange(tx, {
      at: now,
      by,
      action: 'order.shipment_undone',
      subject: { kind: 'order', id },
      before: { fulfilment_status: before, shipment: number, ...(numbers.length > 0 && { numbers }) },
      after: { fulfilment_status: to, shipment: null },
    });
    return null;
  }

  async #find(tx: Db, orderId: string, number: number) {
    return (await store.listAllShipments(tx, orderId)).find((one) => one.number === number) ?? null;
  }
}
