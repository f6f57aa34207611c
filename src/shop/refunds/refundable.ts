import type { PaymentStatus } from '../orders/settle-order.ts';
import { isUnderWay } from '../payments/lost-payments.ts';
import { deepSats } from '../payments/payment-state.ts';
import type { LedgerOutput } from '../payments/payment-state.ts';
import { LEAST_REFUND_SATS } from '../payments/least-refund.ts';
import { requiredConfirmations } from '../payments/required-confirmations.ts';
import type { ConfirmationSteps } from '../payments/required-confirmations.ts';
import { addSats, cents, divideUp, NO_SATS, SATS_PER_BTC, subtractSats, sumSats } from '../money.ts';
import type { CentsPerBtc, Sats } from '../money.ts';

/** What an order was paid too much, or all that was received for it. */
export const refundCovers = ['surplus', 'whole'] as const;
export type RefundCovers = (typeof refundCovers)[number];

export const refundStates = ['made', 'sent', 'confirmed', 'withdrawn'] as const;
export type RefundState = (typeof refundStates)[number];

/** What a refund takes off its order. */
export interface Debit {
  readonly covers: RefundCovers;
  readonly state: RefundState;
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
  /** Every refund that was ever made of it. */
  readonly debits: readonly Debit[];
}

export type Refundable = Readonly<Record<RefundCovers, Sats>>;

/**
 * How deep what an order has received must be before it goes back: as its total asks, and as a total of that much would.
 * Else a small order that is paid very much too much takes the surplus out of the shop's pocket with one block undone.
 */
export function depthToRefund(
  order: { readonly required_confirmations: number; readonly rate_cents_per_btc: CentsPerBtc },
  outputs: readonly LedgerOutput[],
  steps: ConfirmationSteps,
): number {
  const inBlocks = sumSats(outputs.flatMap(({ height, amountSats }) => (height === null ? [] : [amountSats])));
  const worth = cents(divideUp(inBlocks * order.rate_cents_per_btc, SATS_PER_BTC));
  return Math.max(order.required_confirmations, requiredConfirmations(steps, worth));
}

/** What has arrived for good. */
export const receivedDeep = ({ order, outputs, tip }: Omit<RefundPosition, 'debits'>): Sats =>
  deepSats(outputs, tip, order.required_confirmations);

/** What refunds have taken, or are about to: all but those that were given up. */
export function debited(debits: readonly Debit[]): Sats {
  return sumSats(debits.flatMap(({ state, debitSats }) => (state === 'withdrawn' ? [] : [debitSats])));
}

/**
 * It was paid and a reorganisation took that back: what its payment is worth is open. Not so of a part whose rest has
 * left: while nothing is on its way, that part can go back.
 */
function isReorgedOut(position: Omit<RefundPosition, 'debits'>): boolean {
  const { order, outputs, tip } = position;
  const { paid_at: paidAt, payment_status: status, due_sats: due, settled_sats: settled } = order;
  if (paidAt === null || (status !== 'pending' && status !== 'user_paid')) return false;
  const deep = receivedDeep(position);
  return deep === NO_SATS || deep >= (settled ?? due) || isUnderWay(outputs, tip, order.required_confirmations);
}

/**
 * What of an order can go back now. Only what is deep enough can, each satoshi once; a surplus is what a paid order has
 * beyond what is due, so it leaves that alone.
 */
export function refundable(position: RefundPosition): Refundable {
  const { order, debits } = position;
  if (order.is_open || isReorgedOut(position)) return { surplus: NO_SATS, whole: NO_SATS };
  const whole = subtractSats(receivedDeep(position), debited(debits));
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
  return receivedDeep(position) >= addSats(debited(position.debits), kept);
}

export type RefundProblem =
  | 'refund-open'
  | 'reorged-out'
  | 'order-open'
  | 'nothing-to-refund'
  | 'dust'
  | 'no-address'
  | 'address-not-confirmed';

/** Where a refund goes. */
export interface WhereTo {
  readonly confirmedAt: Date | null;
  /** Less than this the network does not carry there. */
  readonly dustSats: bigint;
}

/** Why a refund can't be made; null when it can, of `refundable(position)[covers]`. */
export function refuseRefund(
  covers: RefundCovers,
  position: RefundPosition,
  address: WhereTo | null,
): RefundProblem | null {
  const { order, debits } = position;
  // The next one knows what the one before has taken.
  if (debits.some(({ state }) => state === 'made' || state === 'sent')) return 'refund-open';
  if (order.is_open) return 'order-open';
  if (isReorgedOut(position)) return 'reorged-out';
  const amount = refundable(position)[covers];
  if (amount === 0n) return 'nothing-to-refund';
  if (amount < (address?.dustSats ?? LEAST_REFUND_SATS)) return 'dust';
  if (address === null) return 'no-address';
  return address.confirmedAt === null ? 'address-not-confirmed' : null;
}

/** What refunds make of their order: whether all of it goes back, and what went back of a surplus. */
export function refundsOfOrder(debits: readonly Debit[]): {
  readonly refundState: 'refunding' | 'refunded' | null;
  readonly returnedSats: Sats;
} {
  const wholes = debits.filter(({ covers, state }) => covers === 'whole' && state !== 'withdrawn');
  const wholeState = wholes.some(({ state }) => state !== 'confirmed') ? 'refunding' : 'refunded';
  const surpluses = debits.filter(({ covers, state }) => covers === 'surplus' && state === 'confirmed');
  return {
    refundState: wholes.length === 0 ? null : wholeState,
    returnedSats: sumSats(surpluses.map(({ debitSats }) => debitSats)),
  };
}

/** What refunds take of what their order has received: those that were made and not seen, and those that were sent. */
export function takenByRefunds(debits: readonly Debit[]): { readonly madeSats: Sats; readonly sentSats: Sats } {
  const sumOf = (...states: readonly RefundState[]): Sats =>
    sumSats(debits.flatMap(({ state, debitSats }) => (states.includes(state) ? [debitSats] : [])));
  return { madeSats: sumOf('made'), sentSats: sumOf('sent', 'confirmed') };
}
