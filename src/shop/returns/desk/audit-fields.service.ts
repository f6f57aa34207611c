/** Audit entries of returns. */
import type { ReturnAction } from '../return-state.ts';
import type { ReturnRow } from '../store.ts';

/** What staff do in one step; a refund and an exchange have transactions of their own. */
export type Step = Exclude<ReturnAction, 'refund' | 'exchange' | 'cancel'>;

/** A return as audit entries show it. What its buyer wrote is not part of it. */
export const toAuditFields = (row: ReturnRow) => ({
  state: row.state,
  outcome: row.outcome,
  decision: row.decision,
  label_url: row.labelUrl,
  label_file: row.label && { id: row.label.id, type: row.label.type, bytes: row.label.bytes },
  refund_id: row.refundId,
  exchange_order_id: row.exchangeOrderId,
  lines: row.lines.map((line) => ({
    position: line.position,
    quantity: line.quantity,
    received: line.received,
    restocked: line.restocked,
    damaged: line.damaged,
    sent_back: line.sentBack,
    deduction_cents: String(line.deductionCents),
    deduction_reason: line.deductionReason,
    serials: line.serials.map(({ number }) => number),
  })),
});

/** Verbs of audit entries. */
export const AUDIT_ACTIONS: Readonly<Record<Step, string>> = {
  approve: 'approved',
  refuse: 'refused',
  send: 'edited',
  receive: 'received',
  inspect: 'inspected',
  close: 'closed',
  void: 'voided',
};
