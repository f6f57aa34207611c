import type { Order } from '../../contract.ts';
import { PaymentBox } from '#src/shop/payments/web/payment-box.tsx';
import { Transactions } from '#src/shop/payments/web/transactions.tsx';
import { focusFirstWithin } from '#src/ui/browser/focus-fallback.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import { loadOrder } from '#src/storefront/session/session.ts';
import type { DrawnQr } from '#src/ui/copy/draw-qr.ts';
import styles from '../../web/payment-stage.module.css';
import { CancelOrder, MarkPaid } from '../../web/order-actions.tsx';
import { Requote } from '../../web/requote.tsx';
import { DemoHint } from '../../web/demo-hint.tsx';
import { OrderPaymentStatus } from '../../web/order-payment-status.tsx';
import { PaymentHead } from '../../web/payment-head.tsx';
import { isCancellable, isPayable, isRefundStopped, isRequotable } from '../../web/read-order.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import type { LoadedTimeline } from '../../timeline/web/use-timeline.ts';
import { useOrderFacts } from './use-order-facts.tsx';
import type { RefundPanels } from './use-order-facts.tsx';

const UNREACHED = 'You seem to be offline. This page updates automatically when the connection returns.';

interface CompleteOrderProps {
  readonly order: Order;
  /** Whether the shop responds. */
  readonly isReached: boolean;
  /** What the page came with; null for an order that was placed since. */
  readonly loaded: LoadedTimeline | null;
  /** The QR code rendered on the server. */
  readonly drawn: DrawnQr | null;
  readonly refunds: RefundPanels;
}

/** Checkout step 3 until the order is paid: payment and confirmation. */
export function CompleteOrder({ order, isReached, loaded, drawn, refunds }: CompleteOrderProps) {
  const { OrderRefunds } = refunds;
  const { payment } = order;
  const { orderTimeline, facts, isOwed, refundAddress } = useOrderFacts(order, loaded, refunds);
  const isAsked = payment.bip21 !== null && isPayable(order);
  const state = (
    <OrderPaymentStatus
      order={order}
      hasCode
      layout={isAsked ? 'line' : 'stage'}
      facts={facts}
      trouble={isReached ? null : UNREACHED}
    />
  );

  return (
    <div className={classNames(styles.stage, styles.titles)}>
      <PaymentHead order={order} startedAt={orderTimeline.window_started_at} onOver={() => void loadOrder()} />
      {payment.bip21 !== null && isPayable(order) ? (
        <PaymentBox
          address={payment.address}
          bip21={payment.bip21}
          isRest={payment.received_btc > 0}
          usd={formatNumber(order.total_usd_after)}
          rate={orderTimeline.rate_usd}
          until={order.expires_at}
          link={orderTimeline.pay_path}
          drawn={drawn ?? undefined}
        >
          {state}
        </PaymentBox>
      ) : (
        state
      )}
      {isPayable(order) && <DemoHint />}
      {isRequotable(order, orderTimeline) && (
        <Requote order={order} next={orderTimeline.next_quote} onDone={() => focusFirstWithin(null)} />
      )}
      {isOwed && refundAddress}
      <Transactions payment={payment} left={orderTimeline.left_payments} level="h2" />
      <OrderRefunds refunds={orderTimeline.refunds} level="h2" isStopped={isRefundStopped(order)} />
      {!isOwed && refundAddress}
      {isPayable(order) && <MarkPaid order={order} />}
      {isCancellable(order) && (
        <div className={styles.cancel}>
          <CancelOrder order={order} />
        </div>
      )}
    </div>
  );
}
