import type { LowFee, PaymentToDescribe, PaymentMessage, RefundRoute } from './payment-message.ts';
import { MIN_REFUND_BTC } from '#src/shop/payments/ledger/min-refund.ts';
import {
  hasOnlyDust,
  hasUncountedMoney,
  isConfirmingState,
  isLeftState,
  isPartState,
  isWholeRefund,
} from '#src/shop/payments/ledger/payment-state.ts';
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
export const isConfirming = ({
  payment_status: status,
  payment: { state },
}: Pick<HeadingFacts, 'payment_status'> & { readonly payment: Pick<HeadingFacts['payment'], 'state'> }): boolean =>
  (status === 'pending' || status === 'user_paid') && isConfirmingState(state);

/** PAY-01: heading and status text of an order. */
export function getOrderHeading(order: HeadingFacts): OrderHeading {
  const {
    payment_status: status,
    payment: { loss, state },
  } = order;
  if (loss === 'closed' && status === 'user_paid') return { heading: 'Closed', status: 'Not paid' };
  if (isConfirming(order)) return CONFIRMING;
  if (loss !== null && status === 'user_paid') {
    if (loss === 'refund_stopped') return { heading: 'Refund on hold', status: 'Refund on hold' };
    if (loss === 'double_spent' || loss === 'part_double_spent') return { heading: 'Pay again', status: 'Not paid' };
  }
  // The buyer's word does not make a missing payment one that only lacks confirmations.
  const isMissing = loss === null && (isPartState(state) || isLeftState(state));
  return getStatusHeading(status === 'user_paid' && isMissing ? 'pending' : status);
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
const formatAmount = (btc: string | null): string => (btc === null ? 'Part of the amount' : `${btc} BTC`);

/** Whether an amount is below every address's dust limit. */
export const isDust = (surplusBtc: number | string): boolean => Number(surplusBtc) < MIN_REFUND_BTC;

const FULFILLED: Readonly<Record<FulfilmentStatus, { readonly title: string; readonly text: string }>> = {
  unfulfilled: { title: 'Thank you', text: 'we are preparing your order.' },
  partly_shipped: { title: 'Partly shipped', text: 'part of your order is on its way to you.' },
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
  const back = returnedBtc === null ? '' : ` We refunded ${returnedBtc} BTC that you overpaid.`;
  const returned =
    shortBtc === null ? back : ` Your payment was ${shortBtc} BTC less than the amount due, and we accepted it.${back}`;
  if (fulfilment === undefined) return { title: 'Thank you', text: `${paid}.${returned}` };
  const { title, text } = FULFILLED[fulfilment];
  return { title, text: `${paid}, and ${text}${returned}` };
}

const REFUND_ROUTES: Readonly<Record<Exclude<RefundRoute, 'unknown'>, string>> = {
  named: 'Confirm your refund address with the link in our mail to get it back.',
  entered: 'We refund it to the address that we entered for you.',
  known: 'We refund it to the address that you confirmed.',
  going: 'We are refunding it.',
};

/** How a payment or a surplus is refunded. Only the order page lets the buyer enter an address. */
function describeRefundRoute({ fulfilment, refundRoute = 'unknown' }: PaymentToDescribe): string {
  if (refundRoute !== 'unknown') return REFUND_ROUTES[refundRoute];
  return fulfilment === undefined
    ? 'Log in and enter a refund address to get it back.'
    : 'Enter a refund address below to get it back.';
}

/** What happens to a surplus. */
function describeSurplus(payment: PaymentToDescribe): string {
  const { surplusBtc, minRefundBtc, refundRoute } = payment;
  if (surplusBtc === null) return 'You sent more than the amount due.';
  const start = `You sent ${surplusBtc} BTC more than the amount due`;
  if (isDust(surplusBtc)) return `${start}, which is too little to refund.`;
  if (refundRoute !== 'going' && Number(surplusBtc) < (minRefundBtc ?? 0)) {
    return `${start}, which is too little to refund to your address. Enter a native SegWit address to get it back.`;
  }
  return `${start}. ${describeRefundRoute(payment)}`;
}

/** The surplus of a payment that is not final, and then what else there is to do. */
function describeExcess(payment: PaymentToDescribe, rest: string): string {
  const { surplusBtc, refundRoute = 'unknown' } = payment;
  if (surplusBtc === null) return rest;
  const isAsked = !isDust(surplusBtc) && (refundRoute === 'unknown' || refundRoute === 'named');
  return [describeSurplus(payment), isAsked ? '' : rest].filter(Boolean).join(' ');
}

/** What happens to a confirmed late payment that was not accepted automatically. */
function describeLate(payment: PaymentToDescribe): string {
  const { lateReason, missingAtPresentRateBtc } = payment;
  const back = `Do you want a refund instead? ${describeRefundRoute(payment)}`;
  switch (lateReason) {
    case 'rate':
      return missingAtPresentRateBtc === null || missingAtPresentRateBtc === undefined
        ? `It is confirmed and counts, but the bitcoin price has changed. It covers the order at today’s price. Get a new price to complete the order. ${back}`
        : `It is confirmed and counts, but at today’s price the order costs ${missingAtPresentRateBtc} BTC more. Pay the difference, or wait: if the price recovers, we accept the payment automatically, otherwise we write to you. ${back}`;
    case 'too-late':
      return `It is confirmed and counts, but the order expired too long ago to keep its price. Get a new price to complete the order, or wait: we review it and write to you. ${back}`;
    case 'unavailable':
      return `It is confirmed and counts, but the order can’t be completed at today’s prices. We review it and write to you. Please don’t pay again. ${back}`;
    case 'no-rate':
      return `It is confirmed and counts, but no bitcoin price is available right now. We check it as soon as one is available. Please don’t pay again. ${back}`;
    case 'sold-out':
      return `It is confirmed and counts, but an item is sold out. Once it is in stock again, we accept the payment automatically. Please don’t pay again. ${back}`;
    case 'promo':
      return `It is confirmed and counts, but your promo code has been used up. We review it and write to you. Please don’t pay again. ${back}`;
    default:
      return 'It is confirmed. We check that the price still fits and everything is in stock, and then complete your order or refund you. Please don’t pay again.';
  }
}

/** How unclaimed money of a closed order can be claimed. */
function describeWrittenOff(payment: PaymentToDescribe): string {
  const { minRefundBtc, receivedBtc } = payment;
  if (receivedBtc === null || isDust(receivedBtc)) return 'This is too little to refund.';
  if (Number(receivedBtc) < (minRefundBtc ?? 0)) {
    return 'This is too little to refund to your address. Enter a native SegWit address to get it back.';
  }
  return `You can still claim it. ${describeRefundRoute(payment)}`;
}

/** How to speed up a payment with a low fee. */
const describeLowFee = ({ paid, day }: LowFee): string =>
  `Its fee of ${paid} sat/vB is low: confirmation within a day takes about ${day} sat/vB. To speed it up, raise the fee in your wallet (“bump fee” or RBF), or spend the change of the payment with a higher fee (CPFP).`;

/** What happens to an unconfirmed late payment. */
function describeUnconfirmed({
  confirmations,
  isSeenInTime = false,
  lowFee = null,
}: PaymentToDescribe): PaymentMessage {
  const next =
    'Your payment is safe: once it is confirmed, we accept it if the price still fits and everything is in stock. Otherwise we write to you.';
  const fee = lowFee === null ? '' : ` ${describeLowFee(lowFee)}`;
  if (!isSeenInTime) {
    return {
      tone: 'attention',
      title: 'Your payment arrived late',
      text: `We first saw it after the payment window ended. ${next}${fee}`,
    };
  }
  const isInBlock = confirmations > 0;
  return {
    tone: 'attention',
    title: isInBlock ? 'Your payment is being confirmed' : 'Your payment is still unconfirmed',
    text: `${isInBlock ? '' : 'No block contains it yet. '}The price and the items are no longer reserved. ${next}${fee}`,
  };
}

/** What was received of the amount due, to which the credit of a return may belong. */
const describePart = (receivedBtc: string | null, hasCredit: boolean): string =>
  `${formatAmount(receivedBtc)} ${hasCredit ? 'is received, with the credit of your return' : 'arrived'}`;

const DESCRIBERS: Readonly<Record<PaymentState, (payment: PaymentToDescribe) => PaymentMessage>> = {
  awaiting: ({ status, hasCode }) =>
    status === 'user_paid'
      ? {
          tone: 'moving',
          title: 'Looking for your payment',
          text: 'You marked it as sent. Wallets usually broadcast a payment within a minute. This page updates automatically.',
        }
      : {
          tone: 'waiting',
          title: 'Waiting for your payment',
          text: hasCode
            ? 'Scan the QR code, or send exactly this amount to the address. We detect your payment automatically.'
            : 'The payment page shows the QR code, the amount and the address. We detect your payment automatically.',
        },
  seen: (payment) => {
    const { lowFee = null, required } = payment;
    const time = lowFee === null ? `, usually within ${required * 10} to ${required * 20} minutes` : '';
    const excess = describeExcess(payment, lowFee === null ? 'You can close this page.' : '');
    return {
      tone: 'moving',
      title: 'Payment seen',
      text: [
        `Your payment is on its way and covers the order. It is final after ${formatConfirmations(required)}${time}.`,
        excess,
        lowFee === null ? '' : describeLowFee(lowFee),
      ]
        .filter(Boolean)
        .join(' '),
    };
  },
  confirming: (payment) => ({
    tone: 'moving',
    title: `${payment.confirmations} of ${formatConfirmations(payment.required)}`,
    text: `Your payment is being confirmed. ${describeExcess(payment, 'You don’t need to do anything and can close this page.')}`,
  }),
  underpaid: ({ status, receivedBtc, missingBtc, hasCode, hasCredit = false, requoteRefusal = null }) =>
    status === 'expired'
      ? {
          tone: 'attention',
          title: 'Expired with a partial payment',
          text:
            requoteRefusal === null
              ? `${describePart(receivedBtc, hasCredit)} and counts. Get a new price for the rest, or write to us for a refund.`
              : `${describePart(receivedBtc, hasCredit)}. ${requoteRefusal}. Write to us for a refund.`,
        }
      : {
          tone: 'attention',
          title: `${formatAmount(missingBtc)} still missing`,
          text: `${describePart(receivedBtc, hasCredit)}. Send the rest to the same address before the payment window ends. ${hasCode ? 'The QR code contains' : 'The payment page shows'} the missing amount.`,
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
          title: 'Your late payment is on hold',
          text: describeLate(payment),
        },
  expired: ({ requoteRefusal = null }) => ({
    tone: 'attention',
    title: 'Your order has expired',
    text: `Please don’t pay at the old price. ${requoteRefusal === null ? 'Get a new price for the same order' : requoteRefusal}. If you have already paid, your payment is safe.`,
  }),
  replaced: () => ({
    tone: 'attention',
    title: 'Your payment was replaced',
    text: 'Another transaction replaced it, so it will not arrive. Please send the amount again.',
  }),
  dropped: () => ({
    tone: 'attention',
    title: 'The network dropped your payment',
    text: 'Usually the fee is too low. Raise the fee in your wallet, or send the amount again. If both arrive, we refund the difference.',
  }),
  reorged_out: ({ fulfilment, receivedBtc }) => ({
    tone: 'moving',
    title: receivedBtc === null ? 'Your payment lost its confirmations' : 'Your payment is being confirmed again',
    text: `The Bitcoin network replaced the block that contained it. ${receivedBtc === null ? 'It may return' : 'This is rare'}: please don’t send it again. This page shows when it is confirmed again, or if it will not return.${fulfilment === 'unfulfilled' ? ' We ship once it is confirmed.' : ''}`,
  }),
  refunding: () => ({
    tone: 'moving',
    title: 'Your refund is on its way',
    text: 'We are refunding your payment. We write to you when it is complete.',
  }),
  refunded: ({ isExchanged = false }) =>
    isExchanged
      ? { tone: 'good', title: 'Exchanged', text: 'We credited your payment to the order of the other items.' }
      : { tone: 'good', title: 'Refunded', text: 'We refunded your payment.' },
  written_off: (payment) => ({
    tone: 'attention',
    title: 'This order is closed',
    text: `${payment.receivedBtc === null ? 'A payment' : `${payment.receivedBtc} BTC`} arrived for it. ${describeWrittenOff(payment)}`,
  }),
};

/** What the statement of a buyer that the order is paid means now; null if the message above says more. */
export function describeMarkedPaid(state: PaymentState): string | null {
  if (state === 'awaiting') return 'You marked this order as paid. This page shows your payment once we see it.';
  return isPartState(state) ? 'You marked this order as paid. So far, only a part of the amount has arrived.' : null;
}

/** Message of a payment: what happened and what to do next. */
export function describePayment(payment: PaymentToDescribe): PaymentMessage {
  const { tone, title, text } = describeState(payment);
  const { immatureBlocks: left } = payment;
  if (left === null) return { tone, title, text };
  return {
    tone,
    title,
    text: `${text} A mining reward arrived too. It can be spent only after 100 blocks, so it counts after ${left} more.`,
  };
}

function describeState(payment: PaymentToDescribe): PaymentMessage {
  const { status, state, receivedBtc } = payment;
  if (status === 'cancelled' && !isWholeRefund(state)) {
    if (receivedBtc !== null && !hasUncountedMoney(state)) {
      return {
        tone: 'attention',
        title: 'This order was cancelled',
        text: `${receivedBtc} BTC arrived for it, which is too little to refund. Please don’t pay it.`,
      };
    }
    return receivedBtc === null
      ? { tone: 'attention', title: 'This order was cancelled', text: 'Please don’t pay it.' }
      : {
          tone: 'attention',
          title: 'This order was cancelled',
          text: `${receivedBtc} BTC arrived for it anyway. Your payment is safe. ${describeRefundRoute(payment)} Do you still want the order? Write to us.`,
        };
  }
  const lost = describeLoss(payment);
  if (lost !== null) return lost;
  // Payments that left an expired order need no action.
  const isOver = status === 'expired' && hasOnlyDust(state);
  return DESCRIBERS[isOver ? 'expired' : state](payment);
}
