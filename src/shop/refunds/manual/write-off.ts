/** Decides when and how much unclaimed money staff may write off. */
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { NO_SATS } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { isPaymentReorgedOut, computeRefundable } from '../refundable.ts';
import type { TotalCovers } from '#src/shop/orders/kinds.ts';
import type { RefundPosition } from '../refundable.ts';

const DAY_MS = 24 * 3600 * 1000;

export interface WriteOffPosition {
  readonly refunds: RefundPosition;
  /** Times at which the order was closed; null for those that did not happen. */
  readonly closed: readonly (Date | null)[];
  /** The refund address; null if there is none. */
  readonly address: {
    readonly setAt: Date;
    /** Whether money can be sent to it. */
    readonly isUsable: boolean;
    readonly dustSats: bigint;
  } | null;
  /** When a write-off of the order was last reopened. */
  readonly lastReopenedAt: Date | null;
}

export const writeOffProblems = [
  'refund-open',
  'order-open',
  'reorged-out',
  'nothing-to-write-off',
  'address-known',
  'too-early',
] as const;
export type WriteOffProblem = (typeof writeOffProblems)[number];

export type WriteOffDecision =
  | { readonly ok: true; readonly covers: TotalCovers; readonly amountSats: Sats }
  | {
      readonly ok: false;
      readonly reason: WriteOffProblem;
      /** When a write-off becomes possible if nothing changes; null if time does not decide. */
      readonly from: Date | null;
    };

/** A paid order owes only its surplus; any other order owes everything received. */
const selectCovers = (status: RefundPosition['order']['payment_status']): TotalCovers =>
  status === 'paid' ? 'surplus' : 'whole';

/**
 * Start of the unclaimed period: the latest of closing, last payment, and last action of the buyer.
 */
function findClaimableSince({ refunds, closed, address, lastReopenedAt }: WriteOffPosition): Date | null {
  const arrivals = refunds.outputs.filter(({ isLive }) => isLive).map(({ firstSeen }) => firstSeen);
  let last: Date | null = null;
  for (const moment of [...closed, ...arrivals, address?.setAt, lastReopenedAt]) {
    if (moment && (last === null || moment > last)) last = moment;
  }
  return last;
}

const refuse = (reason: WriteOffProblem, from: Date | null = null): WriteOffDecision => ({ ok: false, reason, from });

/**
 * How much staff may write off now, or why not. An amount below the dust limit can be written off
 * immediately, any other only after `unclaimedAfterDays`.
 */
export function decideWriteOff(position: WriteOffPosition, now: Date, unclaimedAfterDays: number): WriteOffDecision {
  const { address, refunds } = position;
  const { debits, order } = refunds;
  if (debits.some(({ state }) => state === 'made' || state === 'sent')) return refuse('refund-open');
  if (order.is_open) return refuse('order-open');
  if (isPaymentReorgedOut(order)) return refuse('reorged-out');
  const covers = selectCovers(order.payment_status);
  const amountSats = computeRefundable(refunds)[covers];
  if (amountSats === NO_SATS) return refuse('nothing-to-write-off');
  if (amountSats < MIN_REFUND_SATS) return { ok: true, covers, amountSats };
  if (address?.isUsable === true && amountSats >= address.dustSats) return refuse('address-known');
  const since = findClaimableSince(position);
  const from = since && new Date(since.getTime() + unclaimedAfterDays * DAY_MS);
  return from !== null && now < from ? refuse('too-early', from) : { ok: true, covers, amountSats };
}
