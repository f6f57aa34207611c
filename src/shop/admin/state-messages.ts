import type { ShownLoss } from '#src/shop/orders/show-order.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';

const STATES: Readonly<Record<PaymentState, string>> = {
  awaiting: 'Nothing received',
  seen: 'Seen, not in a block yet',
  confirming: 'Being confirmed',
  underpaid: 'A part received',
  paid: 'Paid',
  overpaid: 'Paid too much',
  late: 'Paid late',
  expired: 'Time is over',
  replaced: 'Payment replaced',
  dropped: 'Payment dropped',
  reorged_out: 'Taken back by the network',
  refunding: 'Refund under way',
  refunded: 'Refunded',
  written_off: 'Written off as unclaimed',
};

/** What the chain says of an order, as staff read it. */
export const describeState = (state: PaymentState): string => STATES[state];

const LOSSES: Readonly<Record<ShownLoss, string>> = {
  double_spent: 'Double-spent for good',
  part_double_spent: 'A part double-spent for good',
  refund_stopped: 'Refund stopped: not covered',
  refund_uncovered: 'Refund sent and not covered',
  refund_lost: 'Refund lost',
  closed: 'Closed as a loss',
};

/** What an order has lost, as staff read it. */
export const describeLoss = (loss: ShownLoss): string => LOSSES[loss];

const NOT_ACCEPTED: Readonly<Record<string, string>> = {
  'already-paid': 'The order is paid.',
  refunding: 'A refund of the whole order is under way.',
  refunded: 'The order was refunded.',
  'written-off': 'What was received was written off as unclaimed.',
  'nothing-received': 'Nothing has been received for it.',
  'not-confirmed': 'What was received is not confirmed deep enough yet.',
};

/** Why staff can't take what was received for the whole. */
export const describeNotAccepted = (reason: string): string => NOT_ACCEPTED[reason] ?? 'It can’t be settled now.';
