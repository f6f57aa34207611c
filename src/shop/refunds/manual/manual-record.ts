/** What staff record of refunds by their word, and when they may take it back. */
import type { RefundState } from '#src/shop/orders/kinds.ts';

export interface TransactionFacts {
  /** The transaction pays an order of the shop. */
  readonly isPayment: boolean;
  /** Another refund of the same order counts it. */
  readonly isOfAnotherRefund: boolean;
}

export type RecordProblem = 'own-payment' | 'txid-known';

/** Why a transaction can't be recorded as the one that paid a refund. */
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

/** Whether staff's word closed a refund; the chain says nothing of it. */
export const isRecorded = ({ txid, vout }: Pick<RefundToUndo, 'txid' | 'vout'>): boolean =>
  txid !== null && vout === null;

export type UndoProblem = 'not-recorded' | 'refund-open';

/** Why staff can't take their word back. While another refund of the order is under way there would be two. */
export function findUndoProblem(
  refund: RefundToUndo,
  others: readonly Pick<RefundToUndo, 'id' | 'state'>[],
): UndoProblem | null {
  if (!isRecorded(refund)) return 'not-recorded';
  const isOther = others.some(({ id, state }) => id !== refund.id && (state === 'made' || state === 'sent'));
  return isOther ? 'refund-open' : null;
}

/**
 * Whether a refund of an order may have been made that the database forgot: it was restored from a backup after the order
 * was made.
 */
export const isPossiblyForgotten = (orderedAt: Date, restoredAt: Date | null): boolean =>
  restoredAt !== null && orderedAt <= restoredAt;
