/** Writes what was decided on an order, with all that follows from it. */
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import { moneyOf } from './evaluate-order.ts';
import { bookIn } from '../stored-order.ts';
import type { OrderBook } from '../stored-order.ts';
import type { Orders } from '../service.ts';
import type { Settlement } from './settle-order.ts';
import { orderNumber } from '../show-order.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { NOT_FOUND } from './changed.ts';
import type { Changed } from './changed.ts';
import type { OrderLosses } from './losses.service.ts';
import * as store from './store.ts';
import type { LivingOrder } from './store.ts';
import type { OrderUnits } from './units.service.ts';

export interface OrderChangesOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'find' | 'report'>;
  readonly payments: Pick<Payments, 'ledgerOf'>;
}

/** A loss of it was reported, or staff closed it as one. */
export const hasLoss = (order: LivingOrder): boolean =>
  order.recorded_loss !== null || order.closed_as_loss_of !== null;

/** An order as it is once what was decided is written. */
export const afterwards = (order: LivingOrder, { change }: Settlement): LivingOrder =>
  change === null
    ? order
    : {
        ...order,
        payment_status: change.paymentStatus,
        paid_at: change.paidAt,
        recorded_state: change.recordedState,
        recorded_received_sats: change.recordedReceivedSats,
      };

export class OrderChanges {
  readonly #options: OrderChangesOptions;
  readonly #parts: { readonly units: OrderUnits; readonly losses: OrderLosses };

  constructor(options: OrderChangesOptions, parts: { readonly units: OrderUnits; readonly losses: OrderLosses }) {
    this.#options = options;
    this.#parts = parts;
  }

  /** The order as its buyer sees it. */
  async shown(userId: string, id: string): Promise<Changed> {
    const order = await this.#options.orders.find(userId, id);
    return order ? { ok: true, order } : NOT_FOUND;
  }

  /** Writes what was decided on a locked order; true when what it holds is sold by that. */
  async apply(tx: Db, order: LivingOrder, settled: Settlement, now: Date): Promise<boolean> {
    const { change, events } = settled;
    const { log, orders } = this.#options;
    const isCancelled = change?.paymentStatus === 'cancelled';
    const cancelledAt = isCancelled ? (order.cancelled_at ?? now) : order.cancelled_at;
    if (change && !(await store.changeOrder(tx, order.id, order.payment_status, { ...change, cancelledAt }))) {
      throw new Error(`order ${order.id} changed under its lock`);
    }
    if (isCancelled || change?.paymentStatus === 'expired') {
      await this.#parts.units.release(tx, order);
    }
    const details = moneyOf(order, change);
    for (const kind of events) {
      const isNew = await orders.report(tx, order.id, kind, now, details);
      // It was paid before, and that payment was lost for good.
      if (kind === 'paid' && !isNew) await orders.report(tx, order.id, 'paid_anew', now, details);
      if (kind !== 'reorged_out') continue;
      log.error({ number: orderNumber(order.number) }, 'a paid order is not paid any more: hold it');
    }
    if (hasLoss(order))
      await this.#parts.losses.report(tx, afterwards(order, settled), await this.bookOf(tx, order.id), now);
    const isPaidNow = order.paid_at === null && (change?.paidAt ?? null) !== null;
    return isPaidNow && order.fulfilment_status === 'unfulfilled';
  }

  async bookOf(db: Db, id: string): Promise<OrderBook> {
    return bookIn(await this.#options.payments.ledgerOf(db, [id]), id);
  }
}
