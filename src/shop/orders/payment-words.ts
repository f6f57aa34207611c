import type { PaymentState } from '../payments/payment-state.ts';
import type { PaymentStatus } from './settle-order.ts';
import type { FulfilmentStatus } from './show-order.ts';

/** An order's payment as its buyer reads it; amounts as decimals of bitcoin. */
export type WayBack = 'unknown' | 'known' | 'going';

export interface PaymentToTell {
  readonly status: PaymentStatus;
  readonly state: PaymentState;
  readonly confirmations: number;
  readonly required: number;
  /** All that has arrived; null for nothing. */
  readonly receivedBtc: string | null;
  /** What is still to be sent; null when nothing is missing. */
  readonly missingBtc: string | null;
  /** What came beyond what was due; null for nothing. */
  readonly surplusBtc: string | null;
  /** What went back of that; null for nothing. */
  readonly returnedBtc: string | null;
  /** Of a surplus: where it goes is to be told, or is known, or it is being sent. Left out: to be told. */
  readonly wayBack?: WayBack | undefined;
  /** Blocks until a miner's reward that has arrived counts; null while there is none. */
  readonly immatureBlocks: number | null;
  /** Nothing was to be paid. */
  readonly isFree: boolean;
  /** The code and the address to pay stand below what is told. */
  readonly hasCode: boolean;
  /** How far what was ordered has come; left out where that is nobody's business. */
  readonly fulfilment?: FulfilmentStatus | undefined;
}

/** Whether it is the buyer's turn, the network's, nobody's any more, or something went wrong. */
type PaymentTone = 'waiting' | 'moving' | 'good' | 'attention';

export interface ToldPayment {
  readonly tone: PaymentTone;
  /** What has happened, in a few words. */
  readonly title: string;
  /** What it means, and what to do about it. */
  readonly text: string;
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
const some = (btc: string | null): string => (btc === null ? 'Something' : `${btc} BTC`);

/** Of a payment that is not confirmed yet; what it is too much by is settled afterwards. */
const tooMuch = (surplusBtc: string | null): string =>
  surplusBtc === null ? '' : `It is ${surplusBtc} BTC more than is due, and that goes back to you. `;

const FULFILLED: Readonly<Record<FulfilmentStatus, { readonly title: string; readonly text: string }>> = {
  unfulfilled: { title: 'Thank you', text: 'we are getting your order ready.' },
  shipped: { title: 'On its way', text: 'your order is on its way to you.' },
  delivered: { title: 'Delivered', text: 'your order has been delivered.' },
};

/** What a paid order is told by: that nothing is left to pay, and where it is. */
function tellPaid({ fulfilment, isFree, returnedBtc }: PaymentToTell): Pick<ToldPayment, 'title' | 'text'> {
  const paid = isFree ? 'There is nothing to pay' : 'Your payment is confirmed';
  const returned = returnedBtc === null ? '' : ` ${returnedBtc} BTC that were too much went back to you.`;
  if (fulfilment === undefined) return { title: 'Thank you', text: `${paid}.${returned}` };
  const { title, text } = FULFILLED[fulfilment];
  return { title, text: `${paid}, and ${text}${returned}` };
}

/** Less than any address may be sent: the network refuses it as dust. */
const LEAST_REFUND_BTC = 0.00000294;

const WAYS_BACK: Readonly<Record<Exclude<WayBack, 'unknown'>, string>> = {
  known: 'it goes back to the address that you have confirmed',
  going: 'it is on its way back to you',
};

/** What becomes of a surplus. Where its buyer can say where to send it is the order's own page. */
function tellSurplus({ surplusBtc, fulfilment, wayBack = 'unknown' }: PaymentToTell): string {
  if (surplusBtc === null) return 'You sent more than was due.';
  const start = `You sent ${surplusBtc} BTC more than was due`;
  if (Number(surplusBtc) < LEAST_REFUND_BTC) return `${start}: too little for the network to carry back.`;
  if (wayBack !== 'unknown') return `${start}; ${WAYS_BACK[wayBack]}.`;
  return `${start}; ${fulfilment === undefined ? 'sign in to tell us' : 'tell us below'} where to send the surplus.`;
}

const TELLERS: Readonly<Record<PaymentState, (payment: PaymentToTell) => ToldPayment>> = {
  awaiting: ({ status, hasCode }) =>
    status === 'user_paid'
      ? {
          tone: 'moving',
          title: 'Looking for your payment',
          text: 'You told us that it is sent. Wallets usually take less than a minute to pass it on; this page shows it as soon as we see it.',
        }
      : {
          tone: 'waiting',
          title: 'Waiting for your payment',
          text: hasCode
            ? 'Scan the code, or send exactly this amount to the address. This page notices your payment by itself.'
            : 'The payment page shows the code, the amount and the address. What you send is noticed by itself.',
        },
  seen: ({ required, surplusBtc }) => ({
    tone: 'moving',
    title: 'Payment seen',
    text: `The whole amount is on its way. It is final after ${blocks(required)}, usually within ${required * 10} to ${required * 20} minutes. ${tooMuch(surplusBtc)}You may close this page.`,
  }),
  confirming: ({ confirmations, required, surplusBtc }) => ({
    tone: 'moving',
    title: `${confirmations} of ${blocks(required)}`,
    text: `The whole amount has arrived and is being confirmed. ${tooMuch(surplusBtc)}There is nothing left to do, and you may close this page.`,
  }),
  underpaid: ({ status, receivedBtc, missingBtc, hasCode }) =>
    status === 'expired'
      ? {
          tone: 'attention',
          title: 'The time is over, and a part is missing',
          text: `${some(receivedBtc)} arrived, and counts. Get a new price for the rest, or ask us to send it back: nothing is lost.`,
        }
      : {
          tone: 'attention',
          title: `${some(missingBtc)} still missing`,
          text: `${some(receivedBtc)} of it is here. Send what is missing to the same address before the time is over; ${hasCode ? 'the code below' : 'the payment page'} asks for exactly that.`,
        },
  paid: (payment) => ({ tone: 'good', ...tellPaid(payment) }),
  overpaid: (payment) => {
    const { title, text } = tellPaid(payment);
    return { tone: 'good', title, text: `${text} ${tellSurplus(payment)}` };
  },
  late: ({ confirmations, required }) =>
    confirmations < required
      ? {
          tone: 'attention',
          title: 'Your payment arrived late',
          text: 'It came after the time was over. Once it is confirmed we accept it if the rate still fits and everything is in stock, or we ask you what you prefer: nothing is lost.',
        }
      : {
          tone: 'attention',
          title: 'Your late payment waits for us',
          text: 'It is confirmed, but the rate has moved or something is sold out. We settle it with you or send it back: there is nothing to pay again.',
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
  reorged_out: () => ({
    tone: 'moving',
    title: 'Your payment is being confirmed again',
    text: 'The network has taken its block back. That is rare and mends itself: please don’t send it again. We ship once it is confirmed.',
  }),
  refunding: () => ({
    tone: 'moving',
    title: 'Your refund is on its way',
    text: 'We are sending back what you paid. We write to you once it is sent.',
  }),
  refunded: () => ({ tone: 'good', title: 'Refunded', text: 'What you paid was sent back to you.' }),
};

/** What has happened, and what to do about it. */
export function tellPayment(payment: PaymentToTell): ToldPayment {
  const { tone, title, text } = tellState(payment);
  const { immatureBlocks: left } = payment;
  if (left === null) return { tone, title, text };
  return {
    tone,
    title,
    text: `${text} Fresh coins of a miner have arrived too; the network lets nobody spend them before 100 blocks, so they count after ${left} more.`,
  };
}

function tellState(payment: PaymentToTell): ToldPayment {
  const { status, state, receivedBtc } = payment;
  if (status === 'cancelled' && state !== 'refunding' && state !== 'refunded') {
    return receivedBtc === null
      ? { tone: 'attention', title: 'This order was cancelled', text: 'Please don’t pay it any more.' }
      : {
          tone: 'attention',
          title: 'This order was cancelled',
          text: `${receivedBtc} BTC arrived for it all the same. Nothing is lost: we settle it with you or send it back.`,
        };
  }
  // What left the mempool of an order whose time is over asks for nothing any more.
  const isOver = status === 'expired' && (state === 'replaced' || state === 'dropped' || state === 'awaiting');
  return TELLERS[isOver ? 'expired' : state](payment);
}
