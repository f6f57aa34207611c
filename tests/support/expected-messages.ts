/** The texts that the screen must show for a payment, written independently of the shop's code. */
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';

export interface Facts {
  readonly state: PaymentState;
  readonly status: PaymentStatus;
  /** Its loss; null for none. */
  readonly loss: string | null;
  readonly confirmations: number;
  readonly required: number;
  /** Decimal bitcoin as on the screen; null for none. */
  readonly received: string | null;
  readonly missing: string | null;
  readonly surplus: string | null;
  /** The refunded part of a surplus. */
  readonly returned: string | null;
}

export interface ExpectedMessages {
  readonly heading: string;
  readonly title: string;
  /** A part of the text below it, where that contains an amount. */
  readonly text: string | null;
}

const HEADINGS: Readonly<Record<PaymentStatus, string>> = {
  pending: 'Complete your order',
  user_paid: 'Waiting for confirmation',
  paid: 'Order paid.',
  expired: 'Expired',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
};

/** Titles that depend on the state alone; the others are in `describeTitle`. */
const TITLES: Readonly<Record<PaymentState, string>> = {
  awaiting: 'Waiting for your payment',
  seen: 'Payment seen',
  paid: 'Thank you',
  overpaid: 'Thank you',
  late: 'Your payment arrived late',
  expired: 'Your order has expired',
  replaced: 'Your payment was replaced',
  dropped: 'The network dropped your payment',
  reorged_out: 'Your payment is being confirmed again',
  refunding: 'Your refund is on its way',
  refunded: 'Refunded',
  confirming: 'confirming',
  underpaid: 'underpaid',
  written_off: 'written_off',
};

const isDoubleSpent = ({ loss }: Facts): boolean => loss === 'double_spent' || loss === 'part_double_spent';

function describeHeading(facts: Facts): string {
  const { state, status } = facts;
  const isOpen = status === 'pending' || status === 'user_paid';
  if (isOpen && (state === 'seen' || state === 'confirming')) return 'Waiting for confirmation';
  if (status === 'user_paid' && isDoubleSpent(facts)) return 'Pay again';
  // The full amount is missing, whatever the buyer said.
  const isMissing = state === 'underpaid' || state === 'replaced' || state === 'dropped';
  return HEADINGS[status === 'user_paid' && isMissing ? 'pending' : status];
}

function describeReorgedTitle({ loss, received, state }: Facts): string {
  if (loss === 'part_double_spent') return 'Part of your payment will not return';
  if (loss === 'double_spent') return 'Your payment will not return';
  return received === null ? 'Your payment lost its confirmations' : TITLES[state];
}

function describeTitle(facts: Facts): string {
  const { state, status, loss, confirmations, required, missing } = facts;
  if (state === 'reorged_out') return describeReorgedTitle(facts);
  const isOpen = status === 'pending' || status === 'user_paid';
  if (loss === 'double_spent' && isOpen) return 'Your last payment will not arrive';
  if (state === 'refunding' || state === 'refunded') return TITLES[state];
  if (status === 'cancelled') return 'This order was cancelled';
  if (state === 'confirming') return `${confirmations} of ${required} confirmations`;
  if (state === 'underpaid') {
    return status === 'expired' ? 'Expired with a partial payment' : `${missing} BTC still missing`;
  }
  if (state === 'awaiting' && status === 'user_paid') return 'Looking for your payment';
  if (state === 'late' && confirmations >= required) return 'Your late payment is on hold';
  return TITLES[state];
}

function describeText({ state, status, received, surplus, returned }: Facts): string | null {
  if (status === 'cancelled' && received !== null && !state.startsWith('refund'))
    return `${received} BTC arrived for it`;
  if (state === 'overpaid') return `You sent ${surplus} BTC more than the amount due`;
  if (state === 'paid' && returned !== null) return `We refunded ${returned} BTC that you overpaid`;
  return state === 'underpaid' ? `${received} BTC` : null;
}

/** The staff task, unless another one applies; null for none. */
export function getExpectedTask({
  state,
  status,
  loss,
  confirmations,
  required,
  received,
  surplus,
}: Facts): string | null {
  if (status === 'cancelled')
    return received === null || (state !== 'late' && state !== 'underpaid') ? null : 'cancelled-paid';
  if (state === 'late') return confirmations < required ? 'late-confirming' : 'late-rate';
  if (state === 'underpaid' && status === 'expired') return 'underpaid-over';
  // The network relays no smaller amount.
  if (state === 'overpaid') return Number(surplus) < 0.000_002_94 ? null : 'surplus';
  return state === 'reorged_out' ? (loss?.replaceAll('_', '-') ?? 'reorged-out') : null;
}

export function getExpectedMessages(facts: Facts): ExpectedMessages {
  return { heading: describeHeading(facts), title: describeTitle(facts), text: describeText(facts) };
}

/** Formats with at least six decimals, without trailing zeros beyond. */
export function formatBtc(amount: bigint): string {
  const digits = amount.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/0{1,2}$/, '');
}
