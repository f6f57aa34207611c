/** Money that nobody claimed: when staff may write it off, and how much. */
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { NO_SATS } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { isPaymentReorgedOut, computeRefundable } from '../refundable.ts';
import type { RefundCovers } from '#src/shop/orders/kinds.ts';
import type { RefundPosition } from '../refundable.ts';

const DAY_MS = 24 * 3600 * 1000;

export interface WriteOffPosition {
  readonly refunds: RefundPosition;
  /** When the order was closed; null for what did not happen. */
  readonly closed: readonly (Date | null)[];
  /** The address of the order; null while there is none. */
  readonly address: {
    readonly setAt: Date;
    /** Money can be sent there. */
    readonly isUsable: boolean;
    readonly dustSats: bigint;
  } | null;
  /** When unclaimed money of the order was last claimed after a write-off. */
  readonly lastReopenedAt: Date | null;
}

export type WriteOffProblem =
  | 'refund-open'
  | 'order-open'
  | 'reorged-out'
  | 'nothing-to-write-off'
  | 'address-known'
  | 'too-early';

export type WriteOffDecision =
  | { readonly ok: true; readonly covers: RefundCovers; readonly amountSats: Sats }
  | {
      readonly ok: false;
      readonly reason: WriteOffProblem;
      /** From when on it is possible, if nothing happens until then; null where time does not decide. */
      readonly from: Date | null;
    };

/** A paid order can only owe its surplus; any other one owes all that was received. */
const selectCovers = (status: RefundPosition['order']['payment_status']): RefundCovers =>
  status === 'paid' ? 'surplus' : 'whole';

/** Since when money could be claimed: the order was closed, the last payment was seen, and no sign came of the buyer. */
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
 * How much staff may write off now, or why not. What no address can receive is written off at once; everything else only
 * after so many days in which nobody claimed it.
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
