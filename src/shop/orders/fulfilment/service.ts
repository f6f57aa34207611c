/** Shipping and delivery of any user's order, recorded by staff. */
import type { Db } from '#src/platform/database/database.ts';
import { getActorId } from '#src/shop/audit-log/actor.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { OrderChangeRefusal, OrderChangeResult } from '../status/order-change-result.ts';
import { createOrderParts } from '../status/order-changes.service.ts';
import type { OrderPartsOptions } from '../status/order-changes.service.ts';
import * as orders from '../status/store.ts';
import type { OrderForStatus } from '../status/store.ts';
import { findCarrier } from './carriers.store.ts';
import { findFulfilmentProblem } from './find-fulfilment-problem.ts';
import type { FulfilmentStep } from './find-fulfilment-problem.ts';
import { selectShipment } from './select-shipment.ts';
import type { ShippedUnits } from './select-shipment.ts';
import { checkParcelSerials } from './serial-numbers.ts';
import { recordSerials, refuseSerials, refuseTaken } from './serials.service.ts';
import * as store from './shipments.store.ts';
import type { RecordedShipment, Shipment } from './shipments.store.ts';
import { createTrackingUrl } from './tracking-url.ts';

type ShippingStep = Extract<FulfilmentStep, { to: 'shipped' }>;

/** Whether a recorded shipment has the tracking number and units of a request. */
const isSameShipment = (shipment: Shipment, step: ShippingStep): boolean =>
  (step.trackingReference === null || step.trackingReference === shipment.tracking_number) &&
  ((step.units ?? null) === null || formatUnits(step.units ?? []) === formatUnits(shipment.units));

const formatUnits = (units: readonly ShippedUnits[]): string =>
  units
    .filter(({ quantity }) => quantity > 0)
    .map(({ position, quantity }) => `${String(position)}:${String(quantity)}`)
    .toSorted()
    .join();

/**
 * The response to a part that has the reference and units of a recorded shipment, and no number. With a
 * reference it is a repeat; without one it may be another parcel with as many units, so it must name its number.
 */
function findRepeat(
  order: OrderForStatus,
  step: ShippingStep,
  shipments: readonly Shipment[],
): OrderChangeRefusal | null | undefined {
  const { number, trackingReference: reference, units = null } = step;
  if (order.fulfilment_status !== 'partly_shipped' || number !== undefined || units === null) return undefined;
  const isRecorded = shipments.some((one) => one.tracking_number === reference && isSameShipment(one, step));
  if (!isRecorded) return undefined;
  return reference === null ? { ok: false, reason: 'number-missing' } : null;
}

const getNextNumber = (shipments: readonly Pick<Shipment, 'number'>[]): number => (shipments.at(-1)?.number ?? 0) + 1;

/** The response to a repeat or a refused step; undefined if a shipment is to be recorded. */
function findAnswer(
  order: OrderForStatus,
  step: ShippingStep,
  shipments: readonly RecordedShipment[],
): OrderChangeRefusal | null | undefined {
  const present = shipments.filter((one) => one.undone_at === null);
  if (step.number !== undefined && step.number !== getNextNumber(shipments)) {
    const recorded = present.find((one) => one.number === step.number);
    return recorded && isSameShipment(recorded, step) ? null : { ok: false, reason: 'shipment-exists' };
  }
  const repeated = findRepeat(order, step, present);
  if (repeated !== undefined) return repeated;
  const reason = findFulfilmentProblem(order, step);
  if (reason) return { ok: false, reason };
  if (order.fulfilment_status !== 'shipped' && order.fulfilment_status !== 'delivered') return undefined;
  // A request that names the next shipment is no repeat.
  return step.number === undefined ? null : { ok: false, reason: 'nothing-to-ship' };
}

export class Fulfilment {
  readonly #orders: OrderPartsOptions['orders'];
  readonly #parts: ReturnType<typeof createOrderParts>;

  constructor(options: OrderPartsOptions) {
    this.#orders = options.orders;
    this.#parts = createOrderParts(options);
  }

  /** Records a shipment or the delivery; idempotent. */
  record(id: string, step: FulfilmentStep, by: Actor): Promise<OrderChangeResult> {
    return refuseTaken(() =>
      this.#parts.changes.decide(id, null, (tx, order, now) =>
        step.to === 'shipped' ? this.#ship(tx, order, step, by, now) : this.#deliver(tx, order, by, now),
      ),
    );
  }

  async #deliver(tx: Db, order: OrderForStatus, by: Actor, now: Date): Promise<OrderChangeRefusal | null> {
    const { id, fulfilment_status: before } = order;
    const reason = findFulfilmentProblem(order, { to: 'delivered' });
    if (reason) return { ok: false, reason };
    if (!(await orders.writeDelivered(tx, id))) return null;
    await this.#orders.appendEvent(tx, id, 'delivered', now, { by: getActorId(by) });
    const subject = { kind: 'order', id } as const;
    const change = { before: { fulfilment_status: before }, after: { fulfilment_status: 'delivered' } };
    await recordChange(tx, { at: now, by, action: 'order.delivered', subject, ...change });
    return null;
  }

  async #ship(
    tx: Db,
    order: OrderForStatus,
    step: ShippingStep,
    by: Actor,
    now: Date,
  ): Promise<OrderChangeRefusal | null> {
    const { id } = order;
    const shipments = await store.listAllShipments(tx, id);
    const number = getNextNumber(shipments);
    const answer = findAnswer(order, step, shipments);
    if (answer !== undefined) return answer;
    const lines = await store.listLinesToShip(tx, [id]);
    const selection = selectShipment(lines, step.units ?? null);
    if (!selection.ok) return selection;
    const checked = checkParcelSerials(lines, selection.units, step.serials ?? []);
    if (!checked.ok) return refuseSerials(checked.problems, lines);
    const carrierId = step.carrierId ?? null;
    const carrier = carrierId === null ? null : await findCarrier(tx, carrierId);
    if (carrierId !== null && carrier === null) return { ok: false, reason: 'unknown-carrier' };
    // Its stock was restocked for a refund that was withdrawn.
    const unavailable =
      order.units_returned_at === null ? null : await this.#parts.stock.reserveAndCommit(tx, order, now);
    if (unavailable) return { ok: false, ...unavailable };
    const to = selection.isLast ? 'shipped' : 'partly_shipped';
    const trackingNumber = step.trackingReference;
    if (!(await orders.writeShipped(tx, id, to, trackingNumber))) throw new Error(`order ${id} changed under its lock`);
    const shipment = {
      number,
      carrierName: carrier?.name ?? null,
      trackingNumber,
      trackingUrl: carrier && createTrackingUrl(carrier.url_pattern, trackingNumber),
      units: selection.units,
    };
    const shippedBy = getActorId(by);
    const shipmentId = await store.insertShipment(tx, { ...shipment, orderId: id, shippedAt: now, shippedBy });
    const { serials } = checked;
    await recordSerials(tx, { shipmentId, orderId: id, serials }, lines);
    await this.#orders.appendEvent(tx, id, to, now, { by: shippedBy, shipment: number });
    await recordChange(tx, {
      at: now,
      by,
      action: 'order.shipped',
      // The number of a parcel leads to its recipient.
      hasCustomerData: true,
      subject: { kind: 'order', id },
      before: { fulfilment_status: order.fulfilment_status },
      after: { fulfilment_status: to, shipment: serials.length === 0 ? shipment : { ...shipment, serials } },
    });
    return null;
  }
}
