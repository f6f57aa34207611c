import type { PaymentState } from '../payments/payment-state.ts';
import type { PaymentStatus } from './settle-order.ts';

/** An order's payment as its buyer reads it; amounts as decimals of bitcoin. */
export interface PaymentToTell {
  readonly state: PaymentState;
  readonly confirmations: number;
  readonly required: number;
  /** As it is to be sent; null when nothing is missing. */
  readonly missingBtc: string | null;
  /** The time is over. */
  readonly isExpired: boolean;
}

/** PAY-01: what stands above an order and beside 'Status'. */
export function headingOf(status: PaymentStatus): { readonly heading: string; readonly status: string } {
  switch (status) {
    case 'pending':
      return { heading: 'Complete your order', status: 'Awaiting payment' };
    case 'user_paid':
      return { heading: 'Waiting for confirmation', status: 'Awaiting confirmation' };
    case 'paid':
      return { heading: 'Order paid.', status: 'Paid' };
    case 'expired':
      return { heading: 'Expired', status: 'Expired' };
    case 'cancelled':
      return { heading: 'Cancelled', status: 'Cancelled' };
    case 'refunded':
      return { heading: 'Refunded', status: 'Refunded' };
    default:
      return status satisfies never;
  }
}

const blocks = (count: number): string => (count === 1 ? '1 confirmation' : `${count} confirmations`);

/** One or two sentences: what has happened, and what to do about it. */
export function tellPayment({ state, confirmations, required, missingBtc, isExpired }: PaymentToTell): string {
  switch (state) {
    case 'awaiting':
      return 'Send the exact amount to the address below. This page notices your payment by itself.';
    case 'seen':
      return `We have seen your payment. It is final after ${blocks(required)}, usually within ${required * 10} to ${required * 20} minutes. You may close this page.`;
    case 'confirming':
      return `Your payment has ${confirmations} of ${blocks(required)}. You may close this page.`;
    case 'underpaid':
      return isExpired
        ? 'The time is over and only part of the amount has arrived. Nothing is lost: please contact us, and we settle it or send it back.'
        : `Part of the amount has arrived. ${missingBtc ?? 'Some'} BTC are still missing: send them to the same address.`;
    case 'paid':
      return 'Thank you. Your payment is confirmed, and we are getting your order ready.';
    case 'overpaid':
      return 'Thank you. Your payment is confirmed. You sent more than was due; we refund the surplus.';
    case 'late':
      return 'Your payment arrived after the time was over. Nothing is lost: once it is confirmed we accept it if the rate still fits, or we contact you.';
    case 'expired':
      return 'The time for this payment is over. Please don’t send anything any more; should you have paid already, nothing is lost.';
    case 'replaced':
      return 'Your payment was replaced by another transaction and will not arrive. Please send the amount again.';
    case 'dropped':
      return 'Your payment has left the network’s waiting room, usually because of a low fee. Please send it again with a higher one.';
    case 'reorged_out':
      return 'The network has taken the block of your payment back. This is rare and mends itself: we wait until it is confirmed again.';
    case 'refunding':
      return 'Your refund is on its way.';
    case 'refunded':
      return 'Your payment was refunded.';
    default:
      return state satisfies never;
  }
}
