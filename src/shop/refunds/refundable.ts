import type { PaymentStatus, RefundCovers, RefundState, TotalCovers } from '#src/shop/orders/kinds.ts';
import { hasPendingOutput } from '#src/shop/payments/ledger/double-spent-payments.ts';
import { sumFinalSats } from '#src/shop/payments/ledger/payment-state.ts';
import type { LedgerOutput, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { computeRequiredConfirmations } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { addSats, cents, divideUp, NO_SATS, SATS_PER_BTC, subtractSats, sumSats } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { RefundAddressStatus } from './addresses/address-status.ts';

/** State of a refund, or of unclaimed money: written off or reopened. */
export type DebitState = RefundState | 'written_off' | 'reopened';

/** A refund or write-off, which reduces what the order can refund. */
export interface Debit {
  readonly covers: RefundCovers;
  readonly state: DebitState;
  readonly debitSats: Sats;
  /** Of a refund of lines or of an amount: no other refund can take its units or its dollars. */
  readonly holdsUnits?: boolean;
}

/** The order columns that refunds depend on. The caller holds its row lock. */
export interface OrderToRefund {
  readonly payment_status: PaymentStatus;
  readonly is_open: boolean;
  readonly paid_at: Date | null;
  readonly due_sats: Sats;
  readonly settled_sats: Sats | null;
  readonly tolerance_sats: Sats;
  readonly required_confirmations: number;
}

export interface RefundPosition {
  /** Confirmations from `computeRequiredDepth`. */
  readonly order: OrderToRefund;
  /** All outputs that ever paid the order. */
  readonly outputs: readonly LedgerOutput[];
  readonly tip: { readonly height: number } | null;
  /** All refunds ever made, and all unclaimed write-offs. */
  readonly debits: readonly Debit[];
}

export type Refundable = Readonly<Record<TotalCovers, Sats>>;

/**
 * Confirmations required before a refund: those of the order total, or those of the received amount
 * if more. Otherwise a reorganization could cost the shop a large surplus of a small order.
 */
export function computeRequiredDepth(
  order: { readonly required_confirmations: number; readonly rate_cents_per_btc: CentsPerBtc },
  outputs: readonly LedgerOutput[],
  steps: ConfirmationSteps,
): number {
  const inBlocks = sumSats(outputs.flatMap(({ height, amountSats }) => (height === null ? [] : [amountSats])));
  const worth = cents(divideUp(inBlocks * order.rate_cents_per_btc, SATS_PER_BTC));
  return Math.max(order.required_confirmations, computeRequiredConfirmations(steps, worth));
}

/** Sum of outputs with the required confirmations. */
export const sumFinalForRefund = ({ order, outputs, tip }: Omit<RefundPosition, 'debits'>): Sats =>
  sumFinalSats(outputs, tip, order.required_confirmations);

/** Sum of debits, without withdrawn refunds and reopened write-offs. */
export function sumDebits(debits: readonly Debit[]): Sats {
  return sumSats(
    debits.flatMap(({ state, debitSats }) => (state === 'withdrawn' || state === 'reopened' ? [] : [debitSats])),
  );
}

/** Sum of the refunds whose units or dollars count as refunded. The shop does not keep this part of the amount due. */
const sumLineRefunds = (debits: readonly Debit[]): Sats =>
  sumSats(debits.flatMap(({ debitSats, holdsUnits = false }) => (holdsUnits ? [debitSats] : [])));

/** What a paid order keeps of the amount due. */
const computeKeptSats = ({ debits, order }: RefundPosition): Sats =>
  subtractSats(order.settled_sats ?? order.due_sats, sumLineRefunds(debits));

/**
 * What a paid order was settled with, without a surplus: units are refunded in proportion to it. Null unless
 * it is paid with the required confirmations.
 */
export function computeSettledSats(position: RefundPosition): Sats | null {
  const { due_sats: due, payment_status: status, settled_sats: settled, tolerance_sats: tolerance } = position.order;
  const finalSats = sumFinalForRefund(position);
  if (status !== 'paid' || finalSats < (settled ?? subtractSats(due, tolerance))) return null;
  const agreed = settled ?? due;
  return finalSats < agreed ? finalSats : agreed;
}

/** The order was paid, and a reorganization removed its confirmations. */
export const isPaymentReorgedOut = ({ paid_at: paidAt, payment_status: status }: OrderToRefund): boolean =>
  paidAt !== null && (status === 'pending' || status === 'user_paid');

/**
 * Whether the value of a reorganized payment is open. A partial amount can be refunded when the
 * rest was double-spent and nothing is pending.
 */
function isReorgedOut(position: Omit<RefundPosition, 'debits'>): boolean {
  const { order, outputs, tip } = position;
  if (!isPaymentReorgedOut(order)) return false;
  const finalSats = sumFinalForRefund(position);
  const due = order.settled_sats ?? order.due_sats;
  return finalSats === NO_SATS || finalSats >= due || hasPendingOutput(outputs, tip, order.required_confirmations);
}

/**
 * What can be refunded now: only outputs with enough confirmations, each satoshi once. A surplus
 * leaves the amount due.
 */
export function computeRefundable(position: RefundPosition): Refundable {
  const { order, debits } = position;
  if (order.is_open || isReorgedOut(position)) return { surplus: NO_SATS, whole: NO_SATS };
  const whole = subtractSats(sumFinalForRefund(position), sumDebits(debits));
  return { whole, surplus: order.payment_status === 'paid' ? subtractSats(whole, computeKeptSats(position)) : NO_SATS };
}

/**
 * Whether the final amount still covers a refund and all others. It does not after a withdrawn
 * refund was sent or a payment lost confirmations.
 */
export function isCovered(covers: RefundCovers, position: RefundPosition): boolean {
  const tolerance =
    (covers === 'lines' || covers === 'amount') && position.order.settled_sats === null
      ? position.order.tolerance_sats
      : NO_SATS;
  const reserved = covers === 'whole' ? NO_SATS : subtractSats(computeKeptSats(position), tolerance);
  return sumFinalForRefund(position) >= addSats(sumDebits(position.debits), reserved);
}

/** The same position with all write-offs reopened. */
export const omitWriteOffs = (position: RefundPosition): RefundPosition => ({
  ...position,
  debits: position.debits.map((debit) => (debit.state === 'written_off' ? { ...debit, state: 'reopened' } : debit)),
});

export const refundProblems = [
  'refund-open',
  'reorged-out',
  'order-open',
  'nothing-to-refund',
  'no-rate',
  'dust',
  'no-address',
  'address-not-confirmed',
  'address-waits',
] as const;
export type RefundProblem = (typeof refundProblems)[number];

/** The destination of a refund. */
export interface RefundDestination {
  readonly status: RefundAddressStatus;
  /** Dust limit of the address. */
  readonly dustSats: bigint;
}

/** Why a refund of `computeRefundable(position)[covers]` in kind can't be made; null if it can. */
export function findRefundProblem(
  covers: TotalCovers,
  position: RefundPosition,
  address: RefundDestination | null,
): RefundProblem | null {
  const amount = computeRefundable(position)[covers];
  return findAmountProblem({ debitSats: amount, fullSats: amount }, position, address);
}

/** What a refund takes and returns. */
export interface RefundAmounts {
  readonly debitSats: Sats;
  /** Before a fee that the buyer pays; null: it needs a rate, and there is none. */
  readonly fullSats: Sats | null;
}

/** Why a refund of these amounts can't be made; null if it can. */
export function findAmountProblem(
  { debitSats, fullSats }: RefundAmounts,
  position: RefundPosition,
  address: RefundDestination | null,
): RefundProblem | null {
  const { order, debits } = position;
  // One refund at a time, so that each sees what the others took.
  if (debits.some(({ state }) => state === 'made' || state === 'sent')) return 'refund-open';
  if (order.is_open) return 'order-open';
  if (isReorgedOut(position)) return 'reorged-out';
  if (debitSats === 0n || debitSats > computeRefundable(position).whole) return 'nothing-to-refund';
  if (fullSats === null) return 'no-rate';
  if (fullSats < (address?.dustSats ?? MIN_REFUND_SATS)) return 'dust';
  if (address === null) return 'no-address';
  if (address.status === 'waiting') return 'address-waits';
  return address.status === 'unconfirmed' ? 'address-not-confirmed' : null;
}

/**
 * Summary of debits, for the order row. Refunds of lines that take everything are a whole refund. An
 * order closed by a write-off stays closed when the buyer claims the money: it is only refunded.
 */
export function summarizeRefunds(
  debits: readonly Debit[],
  isFullyRefunded = false,
): {
  readonly refundState: WholeRefundState | null;
  readonly returnedSats: Sats;
  readonly writtenOffSats: Sats;
  readonly lineRefundSats: Sats;
} {
  const sumMatching = (covers: RefundCovers, ...states: readonly DebitState[]): Sats =>
    sumSats(debits.flatMap((one) => (one.covers === covers && states.includes(one.state) ? [one.debitSats] : [])));
  const isWhole = (...states: readonly DebitState[]): boolean =>
    debits.some(
      ({ covers, holdsUnits = false, state }) =>
        (covers === 'whole' || (holdsUnits && isFullyRefunded)) && states.includes(state),
    );
  const refundState = (): WholeRefundState | null => {
    if (isWhole('made', 'sent')) return 'refunding';
    if (isWhole('confirmed')) return 'refunded';
    return isWhole('written_off', 'reopened') ? 'written_off' : null;
  };
  return {
    refundState: refundState(),
    returnedSats: sumMatching('surplus', 'confirmed', 'written_off'),
    writtenOffSats: sumMatching('surplus', 'written_off'),
    lineRefundSats: sumLineRefunds(debits),
  };
}

interface RefundTaken extends Pick<Debit, 'debitSats' | 'holdsUnits'> {
  readonly state: RefundState;
  readonly withdrawnAt: Date | null;
}

/**
 * Totals of refunds that are made and of those that were sent. A withdrawn refund that was sent and
 * its successors count once: a double refund is not a lost payment. Units have no successors.
 * @param refunds of one order, oldest first.
 */
export function computeRefundTotals(refunds: readonly RefundTaken[]): {
  readonly madeSats: Sats;
  readonly sentSats: Sats;
} {
  const [sent, withMade] = [
    computeTaken(refunds, ['sent', 'confirmed']),
    computeTaken(refunds, ['made', 'sent', 'confirmed']),
  ];
  return { madeSats: subtractSats(withMade, sent), sentSats: sent };
}

function computeTaken(refunds: readonly RefundTaken[], states: readonly RefundState[]): Sats {
  let [taken, most] = [NO_SATS, NO_SATS];
  for (const { debitSats, holdsUnits = false, state, withdrawnAt } of refunds) {
    if (!states.includes(state)) continue;
    const withThis = addSats(taken, debitSats);
    if (withdrawnAt === null || holdsUnits) taken = withThis;
    if (withThis > most) most = withThis;
  }
  return most;
}
