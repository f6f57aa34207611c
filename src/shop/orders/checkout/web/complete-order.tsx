import { useState } from 'react';
import type { ComponentType } from 'react';
import type { Order } from '../../contract.ts';
import { getOrderHeading } from '../../status/payment-messages.ts';
import { PaymentBox } from '#src/shop/payments/web/payment-box.tsx';
import { Transactions } from '#src/shop/payments/web/transactions.tsx';
import type { Timeline } from '../../timeline/contract.ts';
import { focusFirstWithin } from '#src/ui/focus-fallback.ts';
import { loadOrder } from '#src/storefront/session/session.ts';
import { ButtonLink } from '#src/ui/button.tsx';
import type { DrawnQr } from '#src/ui/draw-qr.ts';
import styles from '../../web/complete-order.module.css';
import { CancelOrder, MarkPaid } from '../../web/order-actions.tsx';
import { Requote } from '../../web/requote.tsx';
import { DemoHint } from '../../web/demo-hint.tsx';
import { OrderPaymentStatus } from '../../web/order-payment-status.tsx';
import { PaymentHead } from '../../web/payment-head.tsx';
import {
  isCancellable,
  isPayable,
  isRefundStopped,
  isRequotable,
  readTimelineFacts,
  mayOweMoney,
} from '../../web/read-order.ts';
import { useLiveOrder } from '../../web/use-live-order.ts';
import { usePaymentCheck } from '../../web/use-payment-check.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { useTimeline } from '../../timeline/web/use-timeline.ts';

const UNREACHED = 'You seem to be offline. This page updates automatically when the connection returns.';

/** Placeholder until the timeline is loaded. */
const NOTHING: Omit<Timeline, 'rate_usd' | 'pay_path'> & { readonly rate_usd: null; readonly pay_path: null } = {
  rate_usd: null,
  pay_path: null,
  next_quote: null,
  requote_refusal: null,
  late_because: null,
  refund_least_btc: null,
  tracking_reference: null,
  shipments: [],
  left_payments: [],
  refunds: [],
  timeline: [],
};

/** Refund panels, passed in because the refunds slice is above orders. */
interface RefundPanels {
  readonly RefundAddress: ComponentType<{
    readonly orderId: string;
    readonly isDue: boolean;
    readonly onChanged: () => void;
  }>;
  readonly OrderRefunds: ComponentType<{
    readonly refunds: Timeline['refunds'];
    readonly level: 'h3';
    readonly isStopped: boolean;
  }>;
}

interface CompleteOrderProps {
  readonly order: Order;
  /** The QR code rendered on the server. */
  readonly drawn: DrawnQr | null;
  readonly refunds: RefundPanels;
}

/** Checkout step 3: payment and confirmation. */
export function CompleteOrder({ order, drawn, refunds: { RefundAddress, OrderRefunds } }: CompleteOrderProps) {
  const { payment, payment_status: status } = order;
  usePaymentCheck(order);
  const isReached = useLiveOrder(order);
  const [addressChanges, setAddressChanges] = useState(0);
  const orderTimeline = useTimeline(order, addressChanges) ?? NOTHING;
  const facts = readTimelineFacts(orderTimeline);
  const isOwed = mayOweMoney(order) && facts.refundRoute !== 'going';
  const refundAddress = (
    <RefundAddress
      key={order.id}
      orderId={order.id}
      isDue={isOwed}
      onChanged={() => setAddressChanges((count) => count + 1)}
    />
  );

  return (
    <div className={styles.order}>
      <PaymentHead order={order} onOver={() => void loadOrder()}>
        {/* A paid order has this as its page title. */}
        {status !== 'paid' && (
          <h2 id="step-title" tabIndex={-1}>
            {getOrderHeading(order).heading}
          </h2>
        )}
      </PaymentHead>
      <OrderPaymentStatus order={order} hasCode facts={facts} trouble={isReached ? null : UNREACHED} />
      {status === 'paid' && <PaidLinks orderId={order.id} />}
      {isPayable(order) && <DemoHint />}
      {payment.bip21 !== null && isPayable(order) && (
        <PaymentBox
          address={payment.address}
          bip21={payment.bip21}
          isRest={payment.received_btc > 0}
          usd={formatNumber(order.total_usd_after)}
          rate={orderTimeline.rate_usd}
          until={order.expires_at}
          link={orderTimeline.pay_path}
          drawn={drawn ?? undefined}
        />
      )}
      {isRequotable(order, orderTimeline) && (
        <Requote order={order} next={orderTimeline.next_quote} onDone={() => focusFirstWithin(null)} />
      )}
      {isOwed && refundAddress}
      <Transactions payment={payment} left={orderTimeline.left_payments} />
      <OrderRefunds refunds={orderTimeline.refunds} level="h3" isStopped={isRefundStopped(order)} />
      {!isOwed && status !== 'paid' && refundAddress}
      {isPayable(order) && <MarkPaid order={order} />}
      {isCancellable(order) && (
        <div className={styles.cancel}>
          <CancelOrder order={order} />
        </div>
      )}
    </div>
  );
}

/** Links after a paid order. */
function PaidLinks({ orderId }: { readonly orderId: string }) {
  return (
    <div className={styles.next}>
      <ButtonLink to={`/dashboard/orders/${orderId}`}>View order and receipt</ButtonLink>
      <ButtonLink to="/catalog" variant="secondary">
        Continue shopping
      </ButtonLink>
    </div>
  );
}
