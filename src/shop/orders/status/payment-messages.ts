import type { LowFee, PaymentToDescribe, PaymentMessage, RefundRoute } from './payment-message.ts';
import { MIN_REFUND_BTC } from '#src/shop/payments/ledger/min-refund.ts';
import { isLeftState, isWholeRefund } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentStatus, FulfilmentStatus } from '../kinds.ts';
import { describeLoss } from './loss-messages.ts';
import type { ShownLoss } from '../show-order.ts';

export interface OrderHeading {
  readonly heading: string;
  readonly status: string;
}

interface HeadingFacts {
  readonly payment_status: PaymentStatus;
  readonly payment: { readonly state: PaymentState; readonly loss: ShownLoss | null };
}

const CONFIRMING: OrderHeading = { heading: 'Waiting for confirmation', status: 'Awaiting confirmation' };

/** The full amount of an open order was seen and lacks only confirmations. */
export const isConfirming = ({ payment_status: status, payment: { state } }: HeadingFacts): boolean =>
  (status === 'pending' || status === 'user_paid') && (state === 'seen' || state === 'confirming');

/** PAY-01: heading and status text of an order. */
export function getOrderHeading(order: HeadingFacts): OrderHeading {
  const {
    payment_status: status,
    payment: { loss },
  } = order;
  if (loss === 'closed' && status === 'user_paid') return { heading: 'Closed', status: 'Not paid' };
  if (isConfirming(order)) return CONFIRMING;
  if (loss !== null && status === 'user_paid') {
    if (loss === 'refund_stopped') return { heading: 'Refund on hold', status: 'Refund on hold' };
    if (loss === 'double_spent' || loss === 'part_double_spent') return { heading: 'Pay again', status: 'Not paid' };
  }
  return getStatusHeading(status);
}

/** Heading by payment status alone. */
export function getStatusHeading(status: PaymentStatus): OrderHeading {
  switch (status) {
    case 'pending':
      return { heading: 'Complete your order', status: 'Awaiting payment' };
    case 'user_paid':
      return CONFIRMING;
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

const formatConfirmations = (count: number): string => (count === 1 ? '1 confirmation' : `${count} confirmations`);
const formatAmount = (btc: string | null): string => (btc === null ? 'Something' : `${btc} BTC`);

/** A surplus of an unconfirmed payment is refunded later. */
const describeExcess = (surplusBtc: string | null): string =>
  surplusBtc === null ? '' : `It is ${surplusBtc} BTC more than is due, and that goes back to you. `;

const FULFILLED: Readonly<Record<FulfilmentStatus, { readonly title: string; readonly text: string }>> = {
  unfulfilled: { title: 'Thank you', text: 'we are getting your order ready.' },
  shipped: { title: 'On its way', text: 'your order is on its way to you.' },
  delivered: { title: 'Delivered', text: 'your order has been delivered.' },
};

/** Message of a paid order: nothing left to pay, and its delivery. */
function describePaid({
  fulfilment,
  isFree,
  returnedBtc,
  shortBtc = null,
}: PaymentToDescribe): Pick<PaymentMessage, 'title' | 'text'> {
  const paid = isFree ? 'There is nothing to pay' : 'Your payment is confirmed';
  const back = returnedBtc === null ? '' : ` ${returnedBtc} BTC that were too much went back to you.`;
  const returned = shortBtc === null ? back : ` It is ${shortBtc} BTC less than was due, and we accept that.${back}`;
  if (fulfilment === undefined) return { title: 'Thank you', text: `${paid}.${returned}` };
  const { title, text } = FULFILLED[fulfilment];
  return { title, text: `${paid}, and ${text}${returned}` };
}

const REFUND_ROUTES: Readonly<Record<Exclude<RefundRoute, 'unknown'>, string>> = {
  named: 'it goes back once you have opened the link in our mail, which confirms your address',
  entered: 'it goes back to the address that we entered for you',
  known: 'it goes back to the address that you have confirmed',
  going: 'it is on its way back to you',
};

/** Whether an amount is below every address's dust limit. */
export const isDust = (surplusBtc: number | string): boolean => Number(surplusBtc) < MIN_REFUND_BTC;

/** What happens to a surplus. Only the order page lets the buyer enter an address. */
function describeSurplus({ surplusBtc, fulfilment, minRefundBtc, refundRoute = 'unknown' }: PaymentToDescribe): string {
  if (surplusBtc === null) return 'You sent more than was due.';
  const start = `You sent ${surplusBtc} BTC more than was due`;
  if (isDust(surplusBtc)) return `${start}: too little for the network to carry back.`;
  if (refundRoute !== 'going' && Number(surplusBtc) < (minRefundBtc ?? 0)) {
    return `${start}: too little for the network to carry to your address. Name a native SegWit address, and it goes back.`;
  }
  if (refundRoute !== 'unknown') return `${start}; ${REFUND_ROUTES[refundRoute]}.`;
  return `${start}; ${fulfilment === undefined ? 'sign in to tell us' : 'tell us below'} where to send the surplus.`;
}

/** How the payment of a closed order is refunded. */
function describeRefundRoute({ fulfilment, refundRoute = 'unknown' }: PaymentToDescribe): string {
  switch (refundRoute) {
    case 'named':
      return 'Open the link in our mail, which confirms your address, and we send it back.';
    case 'entered':
      return 'We send it back to the address that we entered for you.';
    case 'known':
      return 'We send it back to the address that you have confirmed.';
    case 'going':
      return 'It is on its way back to you.';
    case 'unknown':
      return `${fulfilment === undefined ? 'Sign in and name an address' : 'Name an address below'}, and we send it back.`;
    default:
      return refundRoute satisfies never;
  }
}

/** What happens to a confirmed late payment that was not accepted automatically. */
function describeLate(payment: PaymentToDescribe): string {
  const { lateReason, missingAtPresentRateBtc } = payment;
  const back = `You want it back instead? ${describeRefundRoute(payment)}`;
  switch (lateReason) {
    case 'rate':
      return missingAtPresentRateBtc === null || missingAtPresentRateBtc === undefined
        ? `It is confirmed and counts, but the rate has moved. At today’s price it covers the order: take that, and it is paid. ${back}`
        : `It is confirmed and counts, but bitcoin costs less than when the price was made: at today’s price ${missingAtPresentRateBtc} BTC are missing. Pay the difference, or wait: if the rate comes back we accept it automatically, else we write to you. ${back}`;
    case 'no-rate':
      return `It is confirmed and counts, but there is no bitcoin price right now. We check it as soon as there is one; there is nothing to pay again. ${back}`;
    case 'sold-out':
      return `It is confirmed and counts, but something that you ordered is sold out. Once it is in stock again we accept the payment automatically; there is nothing to pay again. ${back}`;
    case 'promo':
      return `It is confirmed and counts, but the promo code of your price has been used up since. We look at it and write to you; there is nothing to pay again. ${back}`;
    case null:
    case undefined:
      return 'It is confirmed. We check that its price and everything in it still fit, and settle it with you or send it back: there is nothing to pay again.';
    default:
      return lateReason satisfies never;
  }
}

/** How unclaimed money of a closed order can be claimed. */
function describeWrittenOff(payment: PaymentToDescribe): string {
  const { minRefundBtc, receivedBtc } = payment;
  if (receivedBtc === null || isDust(receivedBtc)) return 'It is too little for the network to carry back.';
  if (Number(receivedBtc) < (minRefundBtc ?? 0)) {
    return 'It is too little for the network to carry to your address. Name a native SegWit address, and we send it back.';
  }
  return `You can still have it back. ${describeRefundRoute(payment)}`;
}

/** How to speed up a payment with a low fee. */
const describeLowFee = ({ paid, day }: LowFee): string =>
  `Its fee of ${paid} sat/vB is low: within a day the network takes about ${day}. Raise it in your wallet (“bump fee” or RBF), or spend the change of the payment with a higher fee (CPFP).`;

/** What happens to an unconfirmed late payment. */
function describeUnconfirmed({
  confirmations,
  isSeenInTime = false,
  lowFee = null,
}: PaymentToDescribe): PaymentMessage {
  const next =
    'Once it is confirmed we accept it if the price still fits and everything is in stock, or we ask you what you prefer: nothing is lost.';
  const fee = lowFee === null ? '' : ` ${describeLowFee(lowFee)}`;
  if (!isSeenInTime) {
    return {
      tone: 'attention',
      title: 'Your payment arrived late',
      text: `We first saw it after the time was over. ${next}${fee}`,
    };
  }
  const isInBlock = confirmations > 0;
  return {
    tone: 'attention',
    title: isInBlock ? 'Your payment is being confirmed' : 'Your payment is still unconfirmed',
    text: `${isInBlock ? 'It' : 'No block has taken it yet, and it'} holds price and stock no longer. ${next}${fee}`,
  };
}

const DESCRIBERS: Readonly<Record<PaymentState, (payment: PaymentToDescribe) => PaymentMessage>> = {
  awaiting: ({ status, hasCode }) =>
    status === 'user_paid'
      ? {
          tone: 'moving',
          title: 'Looking for your payment',
          text: 'You marked it as sent. Wallets usually take less than a minute to broadcast it; this page shows it as soon as we see it.',
        }
      : {
          tone: 'waiting',
          title: 'Waiting for your payment',
          text: hasCode
            ? 'Scan the code, or send exactly this amount to the address. We detect your payment automatically.'
            : 'The payment page shows the code, the amount and the address. We detect your payment automatically.',
        },
  seen: ({ lowFee = null, required, surplusBtc }) => ({
    tone: 'moving',
    title: 'Payment seen',
    text: `Your payment is on its way, and it is enough. It is final after ${formatConfirmations(required)}${lowFee === null ? `, usually within ${required * 10} to ${required * 20} minutes` : ''}. ${describeExcess(surplusBtc)}${lowFee === null ? 'You may close this page.' : describeLowFee(lowFee)}`,
  }),
  confirming: ({ confirmations, required, surplusBtc }) => ({
    tone: 'moving',
    title: `${confirmations} of ${formatConfirmations(required)}`,
    text: `Your payment has arrived and is being confirmed. ${describeExcess(surplusBtc)}There is nothing left to do, and you may close this page.`,
  }),
  underpaid: ({ status, receivedBtc, missingBtc, hasCode }) =>
    status === 'expired'
      ? {
          tone: 'attention',
          title: 'The time is over, and a part is missing',
          text: `${formatAmount(receivedBtc)} arrived, and counts. Get a new price for the rest, or ask us to send it back: nothing is lost.`,
        }
      : {
          tone: 'attention',
          title: `${formatAmount(missingBtc)} still missing`,
          text: `${formatAmount(receivedBtc)} of it is here. Send what is missing to the same address before the time is over; ${hasCode ? 'the code below' : 'the payment page'} asks for exactly that.`,
        },
  paid: (payment) => ({ tone: 'good', ...describePaid(payment) }),
  overpaid: (payment) => {
    const { title, text } = describePaid(payment);
    return { tone: 'good', title, text: `${text} ${describeSurplus(payment)}` };
  },
  late: (payment) =>
    payment.confirmations < payment.required
      ? describeUnconfirmed(payment)
      : {
          tone: 'attention',
          title: 'Your late payment waits for us',
          text: describeLate(payment),
        },
  expired: () => ({
    tone: 'attention',
    title: 'The time for this payment is over',
    text: 'Please don’t send anything at the old price. Get a new price for the same order; should you have paid already, nothing is lost.',
  }),
  replaced: () => ({
    tone: 'attention',
    title: 'Your payment was replaced',
    text: 'Another transaction took its place, so this one will not arrive. Please send the amount again.',
  }),
  dropped: () => ({
    tone: 'attention',
    title: 'The network has dropped your payment',
    text: 'That happens when its fee is too low. Raise the fee in your wallet, or send the amount again; should both arrive, one goes back to you.',
  }),
  reorged_out: ({ fulfilment, receivedBtc }) => ({
    tone: 'moving',
    title: receivedBtc === null ? 'Your payment lost its confirmations' : 'Your payment is being confirmed again',
    text: `A reorganization removed its block. ${receivedBtc === null ? 'It may be confirmed again' : 'That is rare'}: please don’t send it again. This page shows when it is confirmed or permanently lost.${fulfilment === 'unfulfilled' ? ' We ship once it is confirmed.' : ''}`,
  }),
  refunding: () => ({
    tone: 'moving',
    title: 'Your refund is on its way',
    text: 'We are sending back what you paid. We write to you once it is sent.',
  }),
  refunded: () => ({ tone: 'good', title: 'Refunded', text: 'What you paid was sent back to you.' }),
  written_off: (payment) => ({
    tone: 'attention',
    title: 'This order is closed',
    text: `${formatAmount(payment.receivedBtc)} arrived for it. ${describeWrittenOff(payment)}`,
  }),
};

/** Message of a payment: what happened and what to do next. */
export function describePayment(payment: PaymentToDescribe): PaymentMessage {
  const { tone, title, text } = describeState(payment);
  const { immatureBlocks: left } = payment;
  if (left === null) return { tone, title, text };
  return {
    tone,
    title,
    text: `${text} A mining reward has arrived too; it cannot be spent before 100 blocks, so it counts after ${left} more.`,
  };
}

function describeState(payment: PaymentToDescribe): PaymentMessage {
  const { status, state, receivedBtc } = payment;
  if (status === 'cancelled' && !isWholeRefund(state)) {
    const hasPart = state === 'late' || state === 'underpaid';
    if (receivedBtc !== null && !hasPart) {
      return {
        tone: 'attention',
        title: 'This order was cancelled',
        text: `${receivedBtc} BTC arrived for it, too little to be sent back. Please don’t pay it any more.`,
      };
    }
    return receivedBtc === null
      ? { tone: 'attention', title: 'This order was cancelled', text: 'Please don’t pay it any more.' }
      : {
          tone: 'attention',
          title: 'This order was cancelled',
          text: `${receivedBtc} BTC arrived for it anyway. Nothing is lost. ${describeRefundRoute(payment)} You still want the order? Write to us.`,
        };
  }
  const lost = describeLoss(payment);
  if (lost !== null) return lost;
  // Payments that left an expired order need no action.
  const isOver = status === 'expired' && (isLeftState(state) || state === 'awaiting');
  return DESCRIBERS[isOver ? 'expired' : state](payment);
}
