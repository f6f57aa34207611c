/** A return as buyers and staff see it. */
import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';
import { countUnitsOwed, countUnitsToRefund, countUnitsToSend } from './plan-refund.ts';
import { findDeadlineState } from './refund-deadline.ts';
import { mayChangePictures } from './file-limits.ts';
import { computeDifference } from './compute-difference.ts';
import type { ExchangedOrder } from './exchange.store.ts';
import { listActions } from './return-state.ts';
import type { ReturnRole } from './return-state.ts';
import type { ReturnRow } from './store.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';

/** @param isTooLittle its refund is too small to be sent, so that nothing is owed */
export const toPosition = (row: ReturnRow, isTooLittle = false) => ({
  cause: row.cause,
  state: row.state,
  isReleased: row.isReleased,
  unitsToSend: countUnitsToSend(row.lines),
  unitsToRefund: countUnitsToRefund(row.state, row.lines),
  unitsOwed: isTooLittle ? 0 : countUnitsOwed(row.state, row.lines),
});

/** @param now decides whether the deadline is near @param isTooLittle to be refunded */
export function showReturn(row: ReturnRow, role: ReturnRole, now: Date, isTooLittle = false) {
  const position = toPosition(row, isTooLittle);
  return {
    id: row.id,
    reference: row.reference,
    order_id: row.orderId,
    cause: row.cause,
    state: row.state,
    requested_at: row.requestedAt,
    reason: row.reason,
    decided_at: row.decidedAt,
    sent_at: row.sentAt,
    proof: row.proof,
    received_at: row.receivedAt,
    inspected_at: row.inspectedAt,
    closed_at: row.closedAt,
    outcome: row.outcome,
    decision: row.decision,
    label_url: row.labelUrl,
    label_file: row.label && { type: row.label.type, bytes: row.label.bytes },
    pictures: row.pictures.map(({ height, id, width }) => ({ id, width, height })),
    pictures_change: mayChangePictures(row),
    refund_due_at: row.refundDueAt,
    deadline: findDeadlineState({ ...row, unitsToSend: position.unitsToSend }, now),
    ticket_id: row.ticketId,
    version: row.version,
    actions: [...listActions(position, role)],
    lines: row.lines.map((line) => ({
      position: line.position,
      name: formatLineName({ name: line.name, property_values: line.values }),
      sku: line.sku,
      quantity: line.quantity,
      cancelled: line.cancelled,
      received: line.received,
      restocked: line.restocked,
      damaged: line.damaged,
      sent_back: line.sentBack,
      condition: line.condition,
      deduction_usd: line.deductionCents,
      deduction_reason: line.deductionReason,
      wanted: line.wantedName,
      serials: line.serials.map(({ isSentBack, number }) => ({ number, is_sent_back: isSentBack })),
      has_serials: line.isNumbered,
      without_serial: line.unnumbered,
    })),
  };
}
/** The order of an exchange. */
export function showExchangedOrder(one: ExchangedOrder | null, orderNumbers: OrderNumbers) {
  if (one === null) return null;
  const { leftCents, paysCents } = computeDifference(one.creditCents, one.totalCents);
  const unpaid = one.isOpen ? ('waiting' as const) : ('ended' as const);
  return {
    order_id: one.id,
    order_number: orderNumbers.formatOrderNumber(one.number),
    state: one.isPaid ? ('paid' as const) : unpaid,
    credit_usd: one.creditCents,
    total_usd: one.totalCents,
    pays_usd: paysCents,
    left_usd: leftCents,
    pay_by: one.isOpen ? one.expiresAt : null,
  };
}

export type ShownReturn = ReturnType<typeof showReturn>;
