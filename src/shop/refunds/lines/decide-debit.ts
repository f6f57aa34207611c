import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { RefundCovers } from '#src/shop/orders/kinds.ts';
import { computeRefundable, computeSettledSats, findLineRefundProblem, findRefundProblem } from '../refundable.ts';
import type { RefundDestination, RefundPosition, RefundProblem } from '../refundable.ts';
import { computeLineRefund } from './line-refund.ts';
import type { LineProblem, LineRefund, LinesToRefund, RefundableOrder } from './line-refund.ts';

/** Units that staff refund, and why. */
export interface LinesRequest extends LinesToRefund {
  readonly reason: string;
  /** The units go on sale again once the refund is confirmed. */
  readonly restocks: boolean;
}

export interface RefundRequest {
  readonly covers: RefundCovers;
  /** Required if it covers lines. */
  readonly lines?: LinesRequest | undefined;
}

type DecidedLines = Omit<LineRefund, 'ok' | 'debitSats'> & Pick<LinesRequest, 'reason' | 'restocks'>;

export type DebitDecision =
  | { readonly ok: true; readonly debitSats: Sats; readonly lines: DecidedLines | null }
  | { readonly ok: false; readonly reason: RefundProblem | LineProblem };

/** What a refund takes off the received amount, or why it can't be made. */
export function decideDebit(
  { covers, lines }: RefundRequest,
  position: RefundPosition,
  order: RefundableOrder,
  address: RefundDestination | null,
): DebitDecision {
  if (covers !== 'lines' || lines === undefined) {
    const total = covers === 'lines' ? 'surplus' : covers;
    const problem = findRefundProblem(total, position, address);
    if (problem !== null) return { ok: false, reason: problem };
    return { ok: true, debitSats: computeRefundable(position)[total], lines: null };
  }
  const settledSats = computeSettledSats(position);
  const refund = computeLineRefund(order, settledSats ?? sats(0n), lines);
  const problem = findLineRefundProblem(
    settledSats === null || !refund.ok ? null : refund.debitSats,
    position,
    address,
  );
  // An open refund may have taken the units.
  if (!refund.ok) return { ok: false, reason: problem === 'refund-open' ? problem : refund.reason };
  if (problem !== null) return { ok: false, reason: problem };
  const { shipping, totalCents, units } = refund;
  const { reason, restocks } = lines;
  return { ok: true, debitSats: refund.debitSats, lines: { units, shipping, totalCents, reason, restocks } };
}
