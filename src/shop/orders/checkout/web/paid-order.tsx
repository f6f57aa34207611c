import { useEffect, useState } from 'react';
import type { Order } from '../../contract.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import { usePolling } from '#src/ui/page/use-polling.ts';
import { PaymentHead } from '../../web/payment-head.tsx';
import { OrderPaymentStatus } from '../../web/order-payment-status.tsx';
import { isRefundStopped } from '../../web/read-order.ts';
import type { LoadedTimeline } from '../../timeline/web/use-timeline.ts';
import { useOrderFacts } from './use-order-facts.tsx';
import type { RefundPanels } from './use-order-facts.tsx';
import stageStyles from '../../web/payment-stage.module.css';
import styles from './paid-order.module.css';

/** The receipt is sent within seconds of the payment. */
const RECEIPT_POLL_MS = 2_000;
const RECEIPT_POLLS = 10;

interface PaidOrderProps {
  readonly order: Order;
  /** What the page came with; null if that was before the payment. */
  readonly loaded: (LoadedTimeline & { readonly arrival: string | null }) | null;
  readonly refunds: RefundPanels;
}

/** Checkout step 3 of a paid order: the devices, when they arrive, and where to follow them. */
export function PaidOrder({ order, loaded, refunds }: PaidOrderProps) {
  const { OrderRefunds } = refunds;
  const { orderTimeline, facts, isOwed, refundAddress } = useOrderFacts(order, loaded, refunds);
  const receiptAddress = loaded?.timeline.receipt_sent_to ?? null;
  const isOutdated = loaded === null;
  const [polls, setPolls] = useState(0);
  useEffect(() => {
    if (isOutdated) void reloadPage({ isAutomatic: true });
  }, [isOutdated]);
  usePolling(!isOutdated && receiptAddress === null && polls < RECEIPT_POLLS ? RECEIPT_POLL_MS : null, () => {
    setPolls(polls + 1);
    void reloadPage({ isAutomatic: true });
  });
  return (
    <div className={classNames(stageStyles.stage, stageStyles.titles)}>
      <PaymentHead order={order} startedAt={null} onOver={() => {}}>
        <svg className={styles.mark} viewBox="0 0 56 56" aria-hidden="true">
          <circle cx="28" cy="28" r="26" pathLength={1} />
          <path d="m17.5 28.8 7.4 7.4L38.8 21" pathLength={1} />
        </svg>
      </PaymentHead>
      <OrderPaymentStatus order={order} hasCode={false} layout="text" facts={facts} />
      {isOwed && refundAddress}
      <ul className={styles.devices}>
        {order.order_items.map((item) => (
          <li
            key={`${item.product_id} ${item.property_values.map(({ id }) => id).join()} ${item.isFree}`}
            className="wrap-anywhere"
          >
            <Picture path={item.product.main_image} alt="" sizes="160px" width={160} height={160} />
            <p className="strong">
              <Unbroken text={item.product.name} />
              {item.quantity > 1 && <span className="muted regular"> x {item.quantity}</span>}
            </p>
            <p className="muted small">{item.property_values.map(({ value }) => value).join(', ')}</p>
          </li>
        ))}
      </ul>
      {/* Reserves its lines, so that nothing moves when they arrive. */}
      <output className={styles.news}>
        {loaded?.arrival && <strong>{`Arrives ${loaded.arrival}`}</strong>}
        {receiptAddress !== null && (
          <span className="muted">
            {'Receipt sent to '}
            <span translate="no">{receiptAddress}</span>
          </span>
        )}
      </output>
      <Row>
        <ButtonLink to={`/dashboard/orders/${order.id}`}>View order and receipt</ButtonLink>
        <ButtonLink to="/catalog" variant="secondary">
          Continue shopping
        </ButtonLink>
      </Row>
      <OrderRefunds refunds={orderTimeline.refunds} level="h2" isStopped={isRefundStopped(order)} />
    </div>
  );
}
