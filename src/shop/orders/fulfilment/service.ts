/** Shipping and delivery of any user's order, recorded by staff. */
import type { OrderChangeResult } from '../status/order-change-result.ts';
import { createOrderParts } from '../status/order-changes.service.ts';
import type { OrderPartsOptions } from '../status/order-changes.service.ts';
import * as store from '../status/store.ts';
import { findFulfilmentProblem } from './find-fulfilment-problem.ts';
import type { FulfilmentStep } from './find-fulfilment-problem.ts';

export class Fulfilment {
  readonly #orders: OrderPartsOptions['orders'];
  readonly #parts: ReturnType<typeof createOrderParts>;

  constructor(options: OrderPartsOptions) {
    this.#orders = options.orders;
    this.#parts = createOrderParts(options);
  }

  /** Records shipping or delivery; idempotent. */
  record(id: string, step: FulfilmentStep): Promise<OrderChangeResult> {
    const { changes, stock } = this.#parts;
    return changes.decide(id, null, async (tx, order, now) => {
      const reason = findFulfilmentProblem(order, step);
      if (reason) return { ok: false, reason };
      // Its stock was restocked for a refund that was withdrawn.
      const unavailable = order.units_returned_at === null ? null : await stock.reserveAndCommit(tx, order, now);
      if (unavailable) return { ok: false, ...unavailable };
      if (await store.writeFulfilment(tx, id, step)) await this.#orders.appendEvent(tx, id, step.to, now, {});
      return null;
    });
  }
}
