/**
 * When the refund of a return is due. Directive 2011/83/EU, article 13(1): within 14 days after the shop learned of the
 * withdrawal. Article 13(3): the shop may wait until it has the goods or a proof that they were sent. Other returns
 * are refunded within the same time after the approval, by the shop's own rule.
 */
import type { ReturnState } from './kinds.ts';
import { endStates } from './return-state.ts';

const DAY_MS = 86_400_000;
const REFUND_DAYS = 14;
/** How long before the deadline staff are warned. */
const WARNING_DAYS = 3;

export const computeRefundDue = (from: Date): Date => new Date(from.getTime() + REFUND_DAYS * DAY_MS);

export interface ReturnForDeadline {
  readonly state: ReturnState;
  /** Null before a return that is no withdrawal is approved. */
  readonly refundDueAt: Date | null;
  /** Units that the buyer sends. */
  readonly unitsToSend: number;
  /** When the buyer or staff named a proof of sending; null: never. */
  readonly sentAt: Date | null;
  readonly receivedAt: Date | null;
  /** The credit of an exchange has to be refunded after all, or the rest of it. */
  readonly isCreditOwed: boolean;
}

/**
 * - waiting: there is time.
 * - withheld: the shop may wait for the goods or a proof of sending, also after the deadline.
 * - soon, overdue: the refund has to be made.
 */
export type DeadlineState = 'none' | 'waiting' | 'withheld' | 'soon' | 'overdue';

export function findDeadlineState(one: ReturnForDeadline, now: Date): DeadlineState {
  const { isCreditOwed, receivedAt, refundDueAt, sentAt, state, unitsToSend } = one;
  if (refundDueAt === null || (endStates.has(state) && !isCreditOwed)) return 'none';
  if (unitsToSend > 0 && sentAt === null && receivedAt === null) return 'withheld';
  if (now >= refundDueAt) return 'overdue';
  return now.getTime() >= refundDueAt.getTime() - WARNING_DAYS * DAY_MS ? 'soon' : 'waiting';
}

/** Returns whose refund is due by then are near their deadline. */
export const computeWarningLimit = (now: Date): Date => new Date(now.getTime() + WARNING_DAYS * DAY_MS);
