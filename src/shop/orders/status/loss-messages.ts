/** Messages to the buyer about lost payments and refunds. */
import type { PaymentToDescribe, PaymentMessage } from './payment-message.ts';
import { isOfRefund, isReorgedState } from '#src/shop/payments/ledger/payment-state.ts';

type LossMessage = Omit<PaymentMessage, 'tone'>;

const SPENT = 'Another transaction spent the same coins and is confirmed.';

/** For an order that was paid: it has to be requoted first. */
function describeReorgedLoss({ fulfilment, loss, receivedBtc, requoteRefusal = null }: PaymentToDescribe): LossMessage {
  const isSent = fulfilment === 'shipped' || fulfilment === 'delivered';
  const again = fulfilment === undefined ? 'Log in and get a new price' : 'Get a new price';
  if (requoteRefusal !== null) {
    return {
      title: loss === 'part_double_spent' ? 'Part of your payment will not return' : 'Your payment will not return',
      text: `${SPENT} ${requoteRefusal}. Write to us.`,
    };
  }
  if (loss === 'part_double_spent') {
    return {
      title: 'Part of your payment will not return',
      text: `${SPENT} The ${receivedBtc} BTC that arrived counts. ${again} for the rest, or write to us for a refund.`,
    };
  }
  return {
    title: 'Your payment will not return',
    text: `${SPENT} ${isSent ? `Your order was already shipped. ${again} to pay for it, or write to us.` : `${again} to pay again${fulfilment === undefined ? '' : ', or cancel the order'}.`}`,
  };
}

/** For an open order: the first payment will not arrive. */
function describePayableLoss({ fulfilment, hasCode, loss, missingBtc, receivedBtc }: PaymentToDescribe): LossMessage {
  if (loss === 'part_double_spent') {
    return {
      title: `${missingBtc} BTC still missing`,
      text: `Part of your payment will not arrive: another transaction spent its coins. The ${receivedBtc} BTC that arrived counts. ${hasCode ? 'The QR code contains' : 'The payment page shows'} the missing amount.`,
    };
  }
  return {
    title: 'Your last payment will not arrive',
    text: `${SPENT} Please pay again ${hasCode ? 'with the QR code' : 'on the payment page'}${fulfilment === 'unfulfilled' ? ', or cancel the order' : ''}.`,
  };
}

/** Null if the message of the payment state is enough. */
export function describeLoss(payment: PaymentToDescribe): PaymentMessage | null {
  const { loss = null, missingBtc, state, status } = payment;
  if (loss === null) return null;
  if (isOfRefund(state)) {
    if (loss === 'refund_stopped') {
      return {
        tone: 'attention',
        title: 'Your refund is on hold',
        text: 'Your payment is no longer confirmed. If it is confirmed again, we continue the refund. You don’t need to do anything.',
      };
    }
    return { tone: 'good', title: 'Refund sent', text: 'We sent you a refund for this order.' };
  }
  if (status !== 'pending' && status !== 'user_paid' && !(status === 'expired' && loss === 'closed')) return null;
  if (loss === 'closed') {
    const isPayable = status !== 'expired' && missingBtc !== null;
    if (isPayable) return null;
    return {
      tone: 'attention',
      title: 'Closed as unpaid',
      text: 'Its payment did not stay confirmed, so we closed the order as unpaid. To pay it, write to us.',
    };
  }
  if (loss !== 'double_spent' && loss !== 'part_double_spent') return null;
  return {
    tone: 'attention',
    ...(isReorgedState(state) ? describeReorgedLoss(payment) : describePayableLoss(payment)),
  };
}
