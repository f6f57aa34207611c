/** Staff actions on any user's order. */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import {
  cancelWithLedger,
  sumFinalForOrder,
  evaluateOrder,
  expireWithLedger,
  createAmountDetails,
  acceptAsPaid,
} from './evaluate-order.ts';
import type { Orders } from '../service.ts';
import { NOT_FOUND } from './order-change-result.ts';
import type { OrderChangeResult, OrderChangeRefusal } from './order-change-result.ts';
import type { OrderChanges } from './order-changes.service.ts';
import type { OrderLosses } from './losses.service.ts';
import { findFulfilmentProblem } from '../fulfilment/find-fulfilment-problem.ts';
import type { FulfilmentStep } from '../fulfilment/find-fulfilment-problem.ts';
import { findCancelUnpayableProblem, describeCancelUnpayable } from './find-cancel-unpayable-problem.ts';
import { findReleaseProblem } from './find-release-problem.ts';
import { decideAcceptAsPaid, createAcceptanceDetails } from './decide-accept-as-paid.ts';
import * as store from './store.ts';
import type { OrderForStatus } from './store.ts';
import type { OrderStock } from './stock.service.ts';

export interface StaffActionsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly unconfirmedLimitSeconds: number;
}

/** The acting staff member and the reason, visible to staff only. */
export interface StaffReason {
  readonly by: string;
  readonly reason: string;
}

interface StaffActionsParts {
  readonly stock: OrderStock;
  readonly losses: OrderLosses;
  readonly changes: OrderChanges;
}

export class StaffActions {
  readonly #options: StaffActionsOptions;
  readonly #parts: StaffActionsParts;

  constructor(options: StaffActionsOptions, parts: StaffActionsParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Records shipping or delivery; idempotent. */
  recordFulfilment(id: string, step: FulfilmentStep): Promise<OrderChangeResult> {
    return this.#decide(id, async (tx, order, now) => {
      const { orders } = this.#options;
      const reason = findFulfilmentProblem(order, step);
      if (reason) return { ok: false, reason };
      // Its stock was restocked for a refund that was withdrawn.
      const unavailable =
        order.units_returned_at === null ? null : await this.#parts.stock.reserveAndCommit(tx, order, now);
      if (unavailable) return { ok: false, ...unavailable };
      if (await store.writeFulfilment(tx, id, step)) await orders.appendEvent(tx, id, step.to, now, {});
      return null;
    });
  }

  /** Accepts the received amount as full payment; idempotent. */
  acceptAsPaid(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    return this.#decide(id, async (tx, order, now) => {
      if (order.payment_status === 'paid' && order.settled_sats !== null) return null;
      const { changes, stock } = this.#parts;
      const ledger = await changes.readLedger(tx, id);
      const { receivedSats } = evaluateOrder(order, ledger);
      const decision = decideAcceptAsPaid(order, {
        receivedSats,
        finalSats: sumFinalForOrder(order, ledger),
      });
      if (!decision.ok) return decision;
      const { acceptedSats } = decision;
      // The stock of a closed order was released.
      const isGivenBack = order.payment_status === 'expired' || order.payment_status === 'cancelled';
      const unavailable = isGivenBack ? await stock.restoreStock(tx, order, now) : null;
      if (unavailable) return { ok: false, ...unavailable };
      await store.writeAcceptedAmount(tx, id, acceptedSats);
      const details = { ...staffReason, ...createAcceptanceDetails(acceptedSats, order.due_sats, receivedSats) };
      await this.#options.orders.appendEvent(tx, id, 'settled', now, details);
      const acceptedOrder = { ...order, settled_sats: acceptedSats, cancelled_at: null };
      const accepted = acceptAsPaid(order, ledger, acceptedSats, now);
      // The `settled` event replaces `paid`.
      const events = accepted.events.filter((event) => event !== 'paid_again');
      const isFirstPaid = await changes.apply(tx, acceptedOrder, { ...accepted, events }, now);
      await stock.commitReservations(tx, isFirstPaid ? [id] : []);
      return null;
    });
  }

  /** Cancels an order whose payment was double-spent, or that received only dust. */
  cancelAsUnpayable(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    return this.#decide(id, async (tx, order, now) => {
      if (order.payment_status === 'cancelled') return null;
      const { changes, stock } = this.#parts;
      const ledger = await changes.readLedger(tx, id);
      const reason = findCancelUnpayableProblem(order, ledger);
      if (reason) return { ok: false, reason };
      const words = describeCancelUnpayable(order, ledger);
      await this.#options.orders.appendEvent(tx, id, 'cancelled', now, {
        ...createAmountDetails(order, null),
        ...staffReason,
        words,
      });
      // Events of the payment's departure were recorded before.
      await changes.apply(tx, order, { ...cancelWithLedger(order, ledger, now), events: [] }, now);
      if (order.paid_at !== null) await stock.restock(tx, [id], now);
      return null;
    });
  }

  /**
   * Releases the reservation of an order without a seen payment: its window ends and the buyer gets
   * a mail.
   */
  releaseStock(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    return this.#decide(id, async (tx, order, now) => {
      const { changes, stock } = this.#parts;
      const { orders, unconfirmedLimitSeconds } = this.#options;
      const ledger = await changes.readLedger(tx, id);
      const reason = findReleaseProblem(order, ledger);
      if (reason) return { ok: false, reason };
      if (!(await stock.hasReservation(tx, id))) return { ok: false, reason: 'not-reserved' };
      const ended = { ...order, expires_at: now, full_expires_at: null };
      const expired = expireWithLedger(ended, ledger, now, { reconciledAt: now, unconfirmedLimitSeconds });
      if (expired === null) return { ok: false, reason: 'payment-seen' };
      await store.setWindow(tx, id, now);
      await orders.appendEvent(tx, id, 'reservation_released', now, {
        ...createAmountDetails(order, null),
        ...staffReason,
      });
      await changes.apply(tx, ended, expired, now);
      return null;
    });
  }

  /** Closes a shipped unpaid order, or one refunded without cover, as a loss; idempotent. */
  closeAsLoss(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    return this.#decide(id, async (tx, order, now) => {
      const { changes, losses } = this.#parts;
      return losses.close(tx, order, await changes.readLedger(tx, id), staffReason, now);
    });
  }

  /**
   * Runs a decision under the order's row lock. Returns the order after it, or why nothing was
   * done.
   */
  async #decide(
    id: string,
    decide: (tx: Db, order: OrderForStatus, now: Date) => Promise<OrderChangeRefusal | null>,
  ): Promise<OrderChangeResult> {
    const { clock, db } = this.#options;
    const result = await transact(db, async (tx): Promise<OrderChangeRefusal | string> => {
      const [order] = await store.lockOrders(tx, [id]);
      return order ? ((await decide(tx, order, clock.now())) ?? order.user_id) : NOT_FOUND;
    });
    return typeof result === 'string' ? this.#parts.changes.show(result, id) : result;
  }
}
