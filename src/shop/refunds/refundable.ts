import type { RefundCovers, RefundState, PaymentStatus } from '#src/shop/orders/kinds.ts';
import { hasPendingOutput } from '#src/shop/payments/ledger/double-spent-payments.ts';
import { sumFinalSats } from '#src/shop/payments/ledger/payment-state.ts';
import type { LedgerOutput, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { requiredConfirmations } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { addSats, cents, divideUp, NO_SATS, SATS_PER_BTC, subtractSats, sumSats } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { RefundAddressStatus } from './addresses/address-status.ts';

/** A refund's state, or that of unclaimed money: written off, or claimed after all. */
export type DebitState = RefundState | 'written_off' | 'reopened';

/** What a refund or a write-off takes off its order. */
export interface Debit {
  readonly covers: RefundCovers;
  readonly state: DebitState;
  readonly debitSats: Sats;
}

/** An order as far as money can go back of it; the caller holds its row lock. */
export interface OrderToRefund {
  readonly payment_status: PaymentStatus;
  readonly is_open: boolean;
  readonly paid_at: Date | null;
  readonly due_sats: Sats;
  readonly settled_sats: Sats | null;
  readonly required_confirmations: number;
}

export interface RefundPosition {
  /** With the confirmations of `depthToRefund`. */
  readonly order: OrderToRefund;
  /** Every output that ever paid the order. */
  readonly outputs: readonly LedgerOutput[];
  readonly tip: { readonly height: number } | null;
  /** Every refund that was ever made of it, and what was written off as unclaimed. */
  readonly debits: readonly Debit[];
}

export type Refundable = Readonly<Record<RefundCovers, Sats>>;

/**
 * How deep what an order has received must be before it goes back: as its total asks, and as a total of that much would.
 * Else a small order that is paid very much too much takes the surplus out of the shop's pocket with one block undone.
 */
export function computeRequiredDepth(
  order: { readonly required_confirmations: number; readonly rate_cents_per_btc: CentsPerBtc },
  outputs: readonly LedgerOutput[],
  steps: ConfirmationSteps,
): number {
  const inBlocks = sumSats(outputs.flatMap(({ height, amountSats }) => (height === null ? [] : [amountSats])));
  const worth = cents(divideUp(inBlocks * order.rate_cents_per_btc, SATS_PER_BTC));
  return Math.max(order.required_confirmations, requiredConfirmations(steps, worth));
}

/** What has arrived for good. */
export const sumFinalForRefund = ({ order, outputs, tip }: Omit<RefundPosition, 'debits'>): Sats =>
  sumFinalSats(outputs, tip, order.required_confirmations);

/** What refunds and write-offs have taken, or are about to: all but those that were given up or reopened. */
export function sumDebits(debits: readonly Debit[]): Sats {
  return sumSats(
    debits.flatMap(({ state, debitSats }) => (state === 'withdrawn' || state === 'reopened' ? [] : [debitSats])),
  );
}

/** It was paid, and a reorganisation took that back. */
export const isPaymentReorgedOut = ({ paid_at: paidAt, payment_status: status }: OrderToRefund): boolean =>
  paidAt !== null && (status === 'pending' || status === 'user_paid');

/**
 * It was paid and a reorganisation took that back: what its payment is worth is open. Not so of a part whose rest has
 * left: while nothing is on its way, that part can go back.
 */
function isReorgedOut(position: Omit<RefundPosition, 'debits'>): boolean {
  const { order, outputs, tip } = position;
  if (!isPaymentReorgedOut(order)) return false;
  const deep = sumFinalForRefund(position);
  const due = order.settled_sats ?? order.due_sats;
  return deep === NO_SATS || deep >= due || hasPendingOutput(outputs, tip, order.required_confirmations);
}

/**
 * What of an order can go back now. Only what is deep enough can, each satoshi once; a surplus is what a paid order has
 * beyond what is due, so it leaves that alone.
 */
export function computeRefundable(position: RefundPosition): Refundable {
  const { order, debits } = position;
  if (order.is_open || isReorgedOut(position)) return { surplus: NO_SATS, whole: NO_SATS };
  const whole = subtractSats(sumFinalForRefund(position), sumDebits(debits));
  const due = order.settled_sats ?? order.due_sats;
  return { whole, surplus: order.payment_status === 'paid' ? subtractSats(whole, due) : NO_SATS };
}

/**
 * Whether what has arrived for good still bears a refund that was made, and all others. Not so when one that was given up
 * was paid all the same, or a payment was taken back: sent now, it would be out of the shop's pocket.
 */
export function isCovered(covers: RefundCovers, position: RefundPosition): boolean {
  const { due_sats: due, settled_sats: settled } = position.order;
  const kept = covers === 'surplus' ? (settled ?? due) : NO_SATS;
  return sumFinalForRefund(position) >= addSats(sumDebits(position.debits), kept);
}

/** The same order with its written-off money claimed after all. */
export const withoutWriteOffs = (position: RefundPosition): RefundPosition => ({
  ...position,
  debits: position.debits.map((debit) => (debit.state === 'written_off' ? { ...debit, state: 'reopened' } : debit)),
});

export type RefundProblem =
  | 'refund-open'
  | 'reorged-out'
  | 'order-open'
  | 'nothing-to-refund'
  | 'dust'
  | 'no-address'
  | 'address-not-confirmed'
  | 'address-waits';

/** Where a refund goes. */
export interface RefundDestination {
  readonly status: RefundAddressStatus;
  /** Less than this the network does not carry there. */
  readonly dustSats: bigint;
}

/** Why a refund can't be made; null when it can, of `refundable(position)[covers]`. */
export function findRefundProblem(
  covers: RefundCovers,
  position: RefundPosition,
  address: RefundDestination | null,
): RefundProblem | null {
  const { order, debits } = position;
  // The next one knows what the one before has taken.
  if (debits.some(({ state }) => state === 'made' || state === 'sent')) return 'refund-open';
  if (order.is_open) return 'order-open';
  if (isReorgedOut(position)) return 'reorged-out';
  const amount = computeRefundable(position)[covers];
  if (amount === 0n) return 'nothing-to-refund';
  if (amount < (address?.dustSats ?? MIN_REFUND_SATS)) return 'dust';
  if (address === null) return 'no-address';
  if (address.status === 'waiting') return 'address-waits';
  return address.status === 'unconfirmed' ? 'address-not-confirmed' : null;
}

/**
 * What refunds and write-offs make of their order: whether all of it goes back or was written off, and what took the
 * surplus off it. An order that was closed by a write-off stays so when its money is claimed after all: it is only paid back.
 */
export function summarizeRefunds(debits: readonly Debit[]): {
  readonly refundState: WholeRefundState | null;
  readonly returnedSats: Sats;
  readonly writtenOffSats: Sats;
} {
  const sumOf = (covers: RefundCovers, ...states: readonly DebitState[]): Sats =>
    sumSats(debits.flatMap((one) => (one.covers === covers && states.includes(one.state) ? [one.debitSats] : [])));
  const isWhole = (...states: readonly DebitState[]): boolean =>
    debits.some(({ covers, state }) => covers === 'whole' && states.includes(state));
  const refundState = (): WholeRefundState | null => {
    if (isWhole('made', 'sent')) return 'refunding';
    if (isWhole('confirmed')) return 'refunded';
    return isWhole('written_off', 'reopened') ? 'written_off' : null;
  };
  return {
    refundState: refundState(),
    returnedSats: sumOf('surplus', 'confirmed', 'written_off'),
    writtenOffSats: sumOf('surplus', 'written_off'),
  };
}

interface RefundTaken extends Pick<Debit, 'debitSats'> {
  readonly state: RefundState;
  readonly withdrawnAt: Date | null;
}

/**
 * What refunds take of what their order has received: those that were made and not seen, and those that were sent. A
 * refund that was sent although it was withdrawn and those that were made in its place take the same money, which counts
 * once: what was paid twice is no loss of a payment.
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
  for (const { debitSats, state, withdrawnAt } of refunds) {
    if (!states.includes(state)) continue;
    const withThis = addSats(taken, debitSats);
    if (withdrawnAt === null) taken = withThis;
    if (withThis > most) most = withThis;
  }
  return most;
}
