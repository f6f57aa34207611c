/** Writes reconciliations with their events, stock and losses. */
import { pipeline, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { findChangedFields } from '#src/shop/audit-log/changed-fields.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { createAmountDetails } from './evaluate-order.ts';
import { requireLedger } from '../stored-order.ts';
import type { OrderLedger } from '../stored-order.ts';
import type { Orders } from '../service.ts';
import type { Reconciliation } from './reconcile-order.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { NOT_FOUND } from './order-change-result.ts';
import type { OrderChangeRefusal, OrderChangeResult, StaffReason } from './order-change-result.ts';
import { OrderLosses } from './losses.service.ts';
import type { OrderLossesOptions } from './losses.service.ts';
import * as store from './store.ts';
import type { OrderForStatus } from './store.ts';
import { OrderStock } from './stock.service.ts';
import type { OrderStockOptions } from './stock.service.ts';

export interface OrderChangesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly orders: Pick<Orders, 'find' | 'appendEvent'>;
  readonly payments: Pick<Payments, 'readLedgers'>;
  /** Called in the transaction in which an order is paid again whose payment was reorganized or lost. */
  readonly onPaidAgain?: ((tx: Db, orderId: string) => Promise<void>) | undefined;
}

/** A loss was recorded or closed. */
export const hasLoss = (order: OrderForStatus): boolean =>
  order.recorded_loss !== null || order.closed_as_loss_of !== null;

/** The order after a reconciliation is written. */
export const applyReconciliation = (order: OrderForStatus, { change }: Reconciliation): OrderForStatus =>
  change === null
    ? order
    : {
        ...order,
        payment_status: change.paymentStatus,
        paid_at: change.paidAt,
        recorded_state: change.recordedState,
        recorded_received_sats: change.recordedReceivedSats,
      };

/** An order as audit entries show it. */
const toAuditFields = (order: OrderForStatus) => ({
  payment_status: order.payment_status,
  fulfilment_status: order.fulfilment_status,
  due_sats: order.due_sats,
  accepted_sats: order.settled_sats,
  cancelled_at: order.cancelled_at,
  expires_at: order.expires_at,
  closed_as_loss_of: order.closed_as_loss_of,
});

interface OrderChangesParts {
  readonly stock: OrderStock;
  readonly losses: OrderLosses;
}

/** Everything from outside that the parts of an order change need. */
export type OrderPartsOptions = OrderChangesOptions & OrderStockOptions & OrderLossesOptions;

/** The services that every change to an order uses. They have no state. */
export function createOrderParts(options: OrderPartsOptions): OrderChangesParts & { readonly changes: OrderChanges } {
  const parts = { stock: new OrderStock(options), losses: new OrderLosses(options) };
  return { ...parts, changes: new OrderChanges(options, parts) };
}

export class OrderChanges {
  readonly #options: OrderChangesOptions;
  readonly #parts: OrderChangesParts;

  constructor(options: OrderChangesOptions, parts: OrderChangesParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** The order for its buyer. */
  async show(userId: string, id: string): Promise<OrderChangeResult> {
    const order = await this.#options.orders.find(userId, id);
    return order ? { ok: true, order } : NOT_FOUND;
  }

  /** Writes the reconciliation of a locked order; true if its reservation becomes a sale. */
  async apply(tx: Db, order: OrderForStatus, reconciliation: Reconciliation, now: Date): Promise<boolean> {
    const { change } = reconciliation;
    const isCancelled = change?.paymentStatus === 'cancelled';
    const cancelledAt = isCancelled ? (order.cancelled_at ?? now) : order.cancelled_at;
    const isClosed = isCancelled || change?.paymentStatus === 'expired';
    const [isChanged] = await pipeline(tx, (free) => [
      change
        ? store.changeOrder(free, order.id, order.payment_status, { ...change, cancelledAt })
        : Promise.resolve(true),
      isClosed ? this.#parts.stock.releaseReservation(free, order) : Promise.resolve(),
      this.#appendEvents(free, order, reconciliation, now),
    ]);
    if (!isChanged) throw new Error(`order ${order.id} changed under its lock`);
    if (hasLoss(order))
      await this.#parts.losses.recordLoss(
        tx,
        applyReconciliation(order, reconciliation),
        await this.readLedger(tx, order.id),
        now,
      );
    const isPaid = change?.paymentStatus === 'paid';
    if (isPaid && order.paid_at !== null && order.payment_status !== 'paid')
      await this.#options.onPaidAgain?.(tx, order.id);
    const isPaidNow = order.paid_at === null && (change?.paidAt ?? null) !== null;
    return isPaidNow && order.fulfilment_status === 'unfulfilled';
  }

  async #appendEvents(tx: Db, order: OrderForStatus, { change, events }: Reconciliation, now: Date): Promise<void> {
    const { log, orders } = this.#options;
    const details = createAmountDetails(order, change);
    for (const kind of events) {
      const isNew = await orders.appendEvent(tx, order.id, kind, now, details);
      // It was paid before, by a payment that was double-spent.
      if (kind === 'paid' && !isNew) await orders.appendEvent(tx, order.id, 'paid_anew', now, details);
      if (kind !== 'reorged_out') continue;
      log.error({ number: String(order.number) }, 'a paid order is no longer paid; do not ship it');
    }
  }

  /**
   * Runs a decision of staff under the row lock of any user's order. Returns the order after it, or
   * why nothing was done. A changed order leaves an audit entry.
   * @param recorded null if the caller records the change
   */
  async decide(
    id: string,
    recorded: (StaffReason & { readonly action: string }) | null,
    decide: (tx: Db, order: OrderForStatus, now: Date) => Promise<OrderChangeRefusal | null>,
  ): Promise<OrderChangeResult> {
    const { clock, db } = this.#options;
    const result = await transact(db, async (tx): Promise<OrderChangeRefusal | string> => {
      const [order] = await store.lockOrders(tx, [id]);
      if (!order) return NOT_FOUND;
      const now = clock.now();
      const refused = await decide(tx, order, now);
      if (refused === null && recorded !== null) await this.recordDecision(tx, order, recorded, now);
      return refused ?? order.user_id;
    });
    return typeof result === 'string' ? this.show(result, id) : result;
  }

  /** Records what a decision of staff changed; nothing if the order was so already. */
  async recordDecision(
    tx: Db,
    before: OrderForStatus,
    { by, action, ...given }: Omit<StaffReason, 'reason'> & { readonly action: string; readonly reason?: string },
    at: Date,
  ): Promise<void> {
    const [order = before] = await store.lockOrders(tx, [before.id]);
    const [fieldsBefore, fields] = [toAuditFields(before), toAuditFields(order)];
    if (Object.keys(findChangedFields(fieldsBefore, fields).after ?? {}).length === 0) return;
    const subject = { kind: 'order', id: order.id, name: String(order.number) } as const;
    await recordChange(tx, { at, by, action, subject, before: fieldsBefore, after: { ...fields, ...given } });
  }

  async readLedger(db: Db, id: string): Promise<OrderLedger> {
    return requireLedger(await this.#options.payments.readLedgers(db, [id]), id);
  }
}
