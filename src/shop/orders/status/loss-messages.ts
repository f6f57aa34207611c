/** Messages to the buyer about lost payments and refunds. */
import type { PaymentToDescribe, PaymentMessage } from './payment-message.ts';

type LossMessage = Omit<PaymentMessage, 'tone'>;

const SPENT = 'Another transaction spent the same coins, and the network has confirmed it.';

/** For an order that was paid: it has to be requoted first. */
function describeReorgedLoss({ fulfilment, loss, receivedBtc }: PaymentToDescribe): LossMessage {
  const isSent = fulfilment === 'shipped' || fulfilment === 'delivered';
  const again = fulfilment === undefined ? 'Sign in and get a new price' : 'Get a new price';
  if (loss === 'part_double_spent') {
    return {
      title: 'A part of your payment will not return',
      text: `${SPENT} ${receivedBtc} BTC are here and count. ${again} for the rest, or write to us if you want them back.`,
    };
  }
  return {
    title: 'Your payment will not return',
    text: `${SPENT} ${isSent ? `Your order was shipped already: ${again.toLowerCase()} and pay it, or write to us.` : `${again} to pay again${fulfilment === undefined ? '' : ', or cancel the order'}.`}`,
  };
}

/** For an open order: the first payment will not arrive. */
function describePayableLoss({ fulfilment, hasCode, loss, missingBtc, receivedBtc }: PaymentToDescribe): LossMessage {
  const where = hasCode ? 'the code below' : 'the payment page';
  if (loss === 'part_double_spent') {
    return {
      title: `${missingBtc} BTC still missing`,
      text: `A part of your payment will not arrive: another transaction spent its coins. ${receivedBtc} BTC are here and count; ${where} asks for the rest.`,
    };
  }
  return {
    title: 'Your last payment will not arrive',
    text: `${SPENT} Please pay again: ${where} asks for the amount.${fulfilment === 'unfulfilled' ? ' Or cancel the order.' : ''}`,
  };
}

/** Null if the message of the payment state is enough. */
export function describeLoss(payment: PaymentToDescribe): PaymentMessage | null {
  const { loss = null, missingBtc, state, status } = payment;
  if (loss === null) return null;
  if (state === 'refunding' || state === 'refunded') {
    if (loss === 'refund_stopped') {
      return {
        tone: 'attention',
        title: 'Your refund is on hold',
        text: 'Your payment is no longer confirmed, so there is nothing to refund. The refund continues if it is confirmed again. You don’t need to do anything.',
      };
    }
    return { tone: 'good', title: 'Refund', text: 'A refund of this order was sent to you.' };
  }
  if (status !== 'pending' && status !== 'user_paid' && !(status === 'expired' && loss === 'closed')) return null;
  if (loss === 'closed') {
    const isPayable = status !== 'expired' && missingBtc !== null;
    if (isPayable) return null;
    return {
      tone: 'attention',
      title: 'Closed: not paid',
      text: 'The payment of this order did not stay in the network, and we have closed the order as unpaid. Do you want to pay it? Write to us.',
    };
  }
  if (loss !== 'double_spent' && loss !== 'part_double_spent') return null;
  return {
    tone: 'attention',
    ...(state === 'reorged_out' ? describeReorgedLoss(payment) : describePayableLoss(payment)),
  };
}
