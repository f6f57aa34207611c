/** Rules for refunds that staff record, and for undoing a record. */
import type { RefundState } from '#src/shop/orders/kinds.ts';

export interface TransactionFacts {
  /** The transaction pays an order of the shop. */
  readonly isPayment: boolean;
  /** Recorded for another refund of the same order. */
  readonly isOfAnotherRefund: boolean;
}

export type RecordProblem = 'own-payment' | 'txid-known';

/** Why a transaction can't be recorded for a refund; null if it can. */
export function findRecordProblem({ isPayment, isOfAnotherRefund }: TransactionFacts): RecordProblem | null {
  if (isPayment) return 'own-payment';
  return isOfAnotherRefund ? 'txid-known' : null;
}

export interface RefundToUndo {
  readonly id: string;
  readonly state: RefundState;
  readonly txid: string | null;
  readonly vout: number | null;
}

/** Whether staff recorded the refund. The ledger does not show it. */
export const isRecorded = ({ txid, vout }: Pick<RefundToUndo, 'txid' | 'vout'>): boolean =>
  txid !== null && vout === null;

export type UndoProblem = 'not-recorded' | 'refund-open';

/** Why a record can't be undone; null if it can. An order has at most one open refund. */
export function findUndoProblem(
  refund: RefundToUndo,
  others: readonly Pick<RefundToUndo, 'id' | 'state'>[],
): UndoProblem | null {
  if (!isRecorded(refund)) return 'not-recorded';
  const isOther = others.some(({ id, state }) => id !== refund.id && (state === 'made' || state === 'sent'));
  return isOther ? 'refund-open' : null;
}

/**
 * Whether the database may lack a refund of the order, because a backup was restored after the
 * order was made.
 */
export const isPossiblyForgotten = (orderedAt: Date, restoredAt: Date | null): boolean =>
  restoredAt !== null && orderedAt <= restoredAt;
