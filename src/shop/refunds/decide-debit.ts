import { cents, NO_SATS, sats, subtractSats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { RefundCovers } from '#src/shop/orders/kinds.ts';
import { computeRefundable, computeSettledSats, findAmountProblem } from './refundable.ts';
import type { RefundDestination, RefundPosition, RefundProblem } from './refundable.ts';
import { computeReturn, computeSentReturn } from './return-value.ts';
import type { RefundBasis, RefundReturn, ReturnTerms, SentElsewhere } from './return-value.ts';
import {
  computeAmountRefund,
  computeDeductedSats,
  computeLineRefund,
  computeOrderAmounts,
} from './lines/line-refund.ts';
import type { AmountPart, LineProblem, LineRefund, LinesToRefund, RefundableOrder } from './lines/line-refund.ts';

/** Units that staff refund, and why. */
export interface LinesRequest extends LinesToRefund {
  readonly reason: string;
  /** The units go on sale again once the refund is confirmed. */
  readonly restocks: boolean;
}

/** Dollars of a paid order that staff refund, and why. */
interface AmountRequest {
  readonly cents: Cents;
  readonly reason: string;
}

export interface RefundRequest {
  readonly covers: RefundCovers;
  /** Required if it covers lines. */
  readonly lines?: LinesRequest | undefined;
  /** Required if it covers an amount. */
  readonly amount?: AmountRequest | undefined;
  /** Satoshis of a surplus, or of an order that is not paid; omitted: all. */
  readonly partSats?: Sats | undefined;
}

type DecidedLines = Omit<LineRefund, 'ok' | 'debitSats'> & Pick<LinesRequest, 'reason' | 'restocks'>;

export interface DecidedAmount {
  readonly parts: readonly AmountPart[];
  readonly reason: string;
}

export type DebitProblem = RefundProblem | LineProblem | 'too-much' | 'less-than-all' | 'order-paid';

/** What a refund takes of an order. */
interface Taken extends RefundBasis {
  readonly lines: DecidedLines | null;
  readonly amount: DecidedAmount | null;
}

interface Debit extends Taken {
  readonly ok: true;
  readonly returns: RefundReturn;
}

export type DebitDecision = Debit | { readonly ok: false; readonly reason: DebitProblem };

const NOTHING = { surplusSats: NO_SATS, valueCents: null, lines: null, amount: null } as const;

/** Everything received: the dollars that no refund took, and a surplus. */
function takeWhole(
  { partSats }: RefundRequest,
  position: RefundPosition,
  order: RefundableOrder,
): Taken | DebitProblem {
  const { paid_at: paidAt, payment_status: status } = position.order;
  const { surplus, whole: received } = computeRefundable(position);
  const isPaid = status === 'paid';
  // The shop keeps what it deducted for damaged units.
  const kept = isPaid ? computeDeductedSats(order, position.order.settled_sats ?? position.order.due_sats) : NO_SATS;
  const whole = subtractSats(received, kept);
  if (partSats !== undefined && isPaid) return 'order-paid';
  if (partSats !== undefined && partSats > whole) return whole === NO_SATS ? 'nothing-to-refund' : 'too-much';
  const debitSats = partSats ?? whole;
  const { leftCents } = computeOrderAmounts(order);
  if (paidAt === null || leftCents === 0n || whole === NO_SATS) return { ...NOTHING, isPaid, debitSats };
  const surplusSats = isPaid ? surplus : NO_SATS;
  // The dollars of payments that lack confirmations are not returned yet.
  const keptSats = subtractSats(whole, surplus);
  const agreedSats = subtractSats(computeKeptOfAll(position), kept);
  const isAll = isPaid ? computeSettledSats(position) !== null : debitSats === whole;
  const share = isPaid
    ? (leftCents * keptSats) / (agreedSats === 0n ? 1n : agreedSats)
    : (leftCents * debitSats) / whole;
  const valueCents = isAll || share > leftCents ? leftCents : cents(share);
  return { ...NOTHING, isPaid, debitSats, surplusSats, valueCents };
}

/** What the shop keeps of the amount due. */
const computeKeptOfAll = ({ debits, order }: RefundPosition): Sats =>
  debits.reduce(
    (kept, { debitSats, holdsUnits = false }) => (holdsUnits ? subtractSats(kept, debitSats) : kept),
    order.settled_sats ?? order.due_sats,
  );

function takeLines(lines: LinesRequest, settledSats: Sats | null, order: RefundableOrder): Taken | LineProblem {
  const refund = computeLineRefund(order, settledSats ?? NO_SATS, lines);
  if (!refund.ok) return refund.reason;
  const { debitSats, shipping, totalCents, units } = refund;
  const { reason, restocks } = lines;
  return {
    ...NOTHING,
    isPaid: true,
    debitSats: settledSats === null ? NO_SATS : debitSats,
    valueCents: totalCents,
    lines: { units, shipping, totalCents, reason, restocks },
  };
}

function takeAmount(
  { cents: amountCents, reason }: AmountRequest,
  settledSats: Sats | null,
  order: RefundableOrder,
): Taken | 'too-much' | 'nothing-to-refund' {
  if (settledSats === null || computeOrderAmounts(order).leftCents === 0n) return 'nothing-to-refund';
  const refund = computeAmountRefund(order, settledSats, amountCents);
  if (!refund.ok) return refund.reason;
  const { debitSats, parts } = refund;
  return { ...NOTHING, isPaid: true, debitSats, valueCents: amountCents, amount: { parts, reason } };
}

function take(request: RefundRequest, position: RefundPosition, order: RefundableOrder): Taken | DebitProblem {
  const { amount, covers, lines } = request;
  const isPaid = position.order.payment_status === 'paid';
  if (covers === 'surplus') {
    const { surplus } = computeRefundable(position);
    const { partSats: debitSats = surplus } = request;
    if (debitSats > surplus) return surplus === NO_SATS ? 'nothing-to-refund' : 'too-much';
    return { ...NOTHING, isPaid, debitSats, surplusSats: debitSats };
  }
  if (covers === 'lines' && lines !== undefined) return takeLines(lines, computeSettledSats(position), order);
  if (covers === 'amount' && amount !== undefined) return takeAmount(amount, computeSettledSats(position), order);
  return takeWhole(request, position, order);
}

export interface RefundCircumstances {
  readonly address: RefundDestination | null;
  readonly terms: ReturnTerms;
  /** What staff sent without the shop; omitted: nothing yet. */
  readonly sent?: SentElsewhere | null;
}

/** What a refund takes off the received amount and what it returns, or why it can't be made. */
export function decideDebit(
  request: RefundRequest,
  position: RefundPosition,
  order: RefundableOrder,
  { address, terms, sent = null }: RefundCircumstances,
): DebitDecision {
  const taken = take(request, position, order);
  if (typeof taken === 'string') {
    // An open refund may have taken the units or the dollars.
    const problem = findAmountProblem({ debitSats: sats(1n), fullSats: sats(1n) }, position, address);
    const isBlocked = problem === 'refund-open' || problem === 'order-open' || problem === 'reorged-out';
    return { ok: false, reason: isBlocked ? problem : taken };
  }
  if (sent !== null) {
    const named = computeSentReturn(taken, terms, sent);
    const debitSats = typeof named === 'string' ? taken.debitSats : named.debitSats;
    const problem = findAmountProblem({ debitSats, fullSats: sent.sats }, position, address);
    if (problem !== null) return { ok: false, reason: problem };
    return typeof named === 'string' ? { ok: false, reason: named } : { ok: true, ...taken, ...named };
  }
  const returns = computeReturn(taken, terms);
  const problem = findAmountProblem({ ...taken, fullSats: returns?.fullSats ?? null }, position, address);
  if (problem !== null) return { ok: false, reason: problem };
  return returns === null ? { ok: false, reason: 'no-rate' } : { ok: true, ...taken, returns };
}
