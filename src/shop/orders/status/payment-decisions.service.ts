/** Decisions of staff on the payment of any user's order. */
import {
  acceptAsPaid,
  cancelWithLedger,
  createAmountDetails,
  evaluateOrder,
  sumFinalForOrder,
} from './evaluate-order.ts';
import { toEventDetails } from './order-change-result.ts';
import type { OrderChangeResult, StaffReason } from './order-change-result.ts';
import { createOrderParts } from './order-changes.service.ts';
import type { OrderPartsOptions } from './order-changes.service.ts';
import { describeStaffCancel, findStaffCancelProblem, isCancelledForLoss } from './find-staff-cancel-problem.ts';
import { createAcceptanceDetails, decideAcceptAsPaid } from './decide-accept-as-paid.ts';
import { selectLossToClose } from './order-loss.ts';
import * as store from './store.ts';

export class PaymentDecisions {
  readonly #orders: OrderPartsOptions['orders'];
  readonly #parts: ReturnType<typeof createOrderParts>;

  constructor(options: OrderPartsOptions) {
    this.#orders = options.orders;
    this.#parts = createOrderParts(options);
  }

  /** Accepts the received amount as full payment; idempotent. */
  acceptAsPaid(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    const recorded = { ...staffReason, action: 'order.accepted_as_paid' };
    return this.#parts.changes.decide(id, recorded, async (tx, order, now) => {
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
      const details = {
        ...toEventDetails(staffReason),
        ...createAcceptanceDetails(acceptedSats, order.due_sats, receivedSats),
      };
      await this.#orders.appendEvent(tx, id, 'settled', now, details);
      const acceptedOrder = { ...order, settled_sats: acceptedSats, cancelled_at: null };
      const accepted = acceptAsPaid(order, ledger, acceptedSats, now);
      // The `settled` event replaces `paid`.
      const events = accepted.events.filter((event) => event !== 'paid_again');
      const isFirstPaid = await changes.apply(tx, acceptedOrder, { ...accepted, events }, now);
      await stock.commitReservations(tx, isFirstPaid ? [id] : []);
      return null;
    });
  }

  /**
   * Cancels an expired or free order, or one whose payment was double-spent or is only dust, for good.
   * A free order gives back its stock and promotion use. Idempotent.
   */
  cancelByStaff(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    return this.#parts.changes.decide(id, null, async (tx, order, now) => {
      if (order.payment_status === 'cancelled') return null;
      const { changes, stock } = this.#parts;
      const ledger = await changes.readLedger(tx, id);
      const reason = findStaffCancelProblem(order, ledger);
      if (reason) return { ok: false, reason };
      const words = describeStaffCancel(order, ledger);
      await this.#orders.appendEvent(tx, id, 'cancelled', now, {
        ...createAmountDetails(order, null),
        ...toEventDetails(staffReason),
        words,
      });
      // The events of the lost payment are already recorded.
      await changes.apply(tx, order, { ...cancelWithLedger(order, ledger, now), events: [] }, now);
      if (order.paid_at !== null) await stock.restock(tx, [id], now);
      const action = isCancelledForLoss(order) ? 'order.cancelled_as_unpayable' : 'order.cancelled_by_staff';
      await changes.recordDecision(tx, order, { ...staffReason, action }, now);
      return null;
    });
  }

  /** Closes a shipped unpaid order, or one refunded without cover, as a loss; idempotent. */
  closeAsLoss(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    const recorded = { ...staffReason, action: 'order.closed_as_loss' };
    return this.#parts.changes.decide(id, recorded, async (tx, order, now) => {
      const { changes, losses, stock } = this.#parts;
      const ledger = await changes.readLedger(tx, id);
      const refusal = await losses.close(tx, order, ledger, staffReason, now);
      const isClosedNow = refusal === null && order.closed_as_loss_of === null;
      // What was not shipped of an unpaid order is for sale again.
      if (isClosedNow && order.fulfilment_status === 'partly_shipped' && selectLossToClose(order, ledger) === 'payment')
        await stock.restock(tx, [id], now);
      return refusal;
    });
  }
}
