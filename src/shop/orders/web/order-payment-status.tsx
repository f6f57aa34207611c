import { describePayment } from '../status/payment-messages.ts';
import { isConfirmingState } from '#src/shop/payments/ledger/payment-state.ts';
import { PaymentStatusBox } from '#src/shop/payments/web/payment-status-box.tsx';
import { isOpen, readPayment } from './read-order.ts';
import type { TimelineFacts, PayableOrder } from './read-order.ts';

interface OrderPaymentStatusProps {
  readonly order: PayableOrder;
  /** The QR code is shown below. */
  readonly hasCode: boolean;
  readonly layout?: 'box' | 'line' | 'stage' | 'text' | undefined;
  readonly facts?: TimelineFacts | undefined;
  /** Why the status may be outdated. */
  readonly trouble?: string | null;
}

/** Status message of an order's payment. */
export function OrderPaymentStatus({ order, hasCode, layout, facts, trouble = null }: OrderPaymentStatusProps) {
  const { state, confirmations, required_confirmations: need } = order.payment;
  const isCounted = isConfirmingState(state) && need > 0;
  const { payment_status: status } = order;
  const isSettled = status === 'paid' || status === 'refunded';
  return (
    <>
      <PaymentStatusBox
        {...describePayment(readPayment(order, hasCode, facts))}
        layout={layout}
        progress={isCounted ? { have: Math.min(confirmations, need), need } : null}
      >
        {trouble !== null && <span>{trouble}</span>}
      </PaymentStatusBox>
      {order.payment.chain === 'down' && !isSettled && (
        <PaymentStatusBox
          tone="attention"
          title="We can’t reach the Bitcoin network right now"
          text={`Your payment is safe. This page updates automatically${isOpen(order) ? ', and your order does not expire until then' : ''}.`}
          progress={null}
        />
      )}
      {order.is_briefly_reserved === true && (
        <PaymentStatusBox
          tone="attention"
          title="Almost sold out"
          text="Your items are reserved until the payment window ends. Once we see at least half of the amount, they stay reserved longer."
          progress={null}
        />
      )}
    </>
  );
}
