import type { AcceptAsPaidProblem } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import type { ShownLoss } from '#src/shop/orders/show-order.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';

const STATES: Readonly<Record<PaymentState, string>> = {
  awaiting: 'Nothing received',
  seen: 'Unconfirmed',
  confirming: 'Confirming',
  underpaid: 'Underpaid',
  paid: 'Paid',
  overpaid: 'Overpaid',
  late: 'Paid late',
  expired: 'Expired',
  replaced: 'Payment replaced',
  dropped: 'Payment dropped',
  reorged_out: 'Reorganized',
  refunding: 'Refund open',
  refunded: 'Refunded',
  written_off: 'Written off as unclaimed',
};

/** Payment states, for staff. */
export const describeState = (state: PaymentState): string => STATES[state];

const LOSSES: Readonly<Record<ShownLoss, string>> = {
  double_spent: 'Double-spent',
  part_double_spent: 'Partly double-spent',
  refund_stopped: 'Refund on hold',
  refund_uncovered: 'Refund not covered',
  refund_lost: 'Refund lost',
  closed: 'Closed as a loss',
};

/** Losses, for staff. */
export const describeLoss = (loss: ShownLoss): string => LOSSES[loss];

const NOT_ACCEPTED: Readonly<Record<AcceptAsPaidProblem, string>> = {
  'already-paid': 'The order is paid.',
  refunding: 'A full refund of the order is open.',
  refunded: 'The order was refunded.',
  'written-off': 'The received amount was written off as unclaimed.',
  'nothing-received': 'Nothing has been received for it.',
  'not-confirmed': 'The received amount needs more confirmations.',
};

/** Why staff can't accept the received amount as full payment. */
export const describeNotAccepted = (problem: AcceptAsPaidProblem): string => NOT_ACCEPTED[problem];
