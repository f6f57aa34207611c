import { Link } from 'react-router';
import type { Order } from '../contract.ts';
import { describePayment } from '../status/payment-messages.ts';
import { formatPromoLabel } from '#src/shop/promotions/promo-label.ts';
import { formatBtcAmount, formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import styles from './order-card.module.css';
import { OrderLines } from './order-lines.tsx';
import { OrderStatus } from './order-status.tsx';
import { isLeftState } from '#src/shop/payments/ledger/payment-state.ts';
import { isPayable, readPayment } from './read-order.ts';

/** Message of a payment that needs attention; null for none. */
function findPaymentAlert(order: Order): string | null {
  const { payment, payment_status: status } = order;
  const isQuiet = payment.loss === null && payment.received_btc === 0 && !isLeftState(payment.state);
  if (status === 'cancelled' || isQuiet) return null;
  const { title, tone } = describePayment(readPayment(order, false));
  return tone === 'attention' ? title : null;
}

/** What was waived and refunded of the total. Renders nothing if neither happened. */
function ReducedBy({ order }: { readonly order: Order }) {
  const { net_usd: netUsd, refunded_usd: refundedUsd, waived_usd: waivedUsd } = order;
  if (waivedUsd === 0 && refundedUsd === 0) return null;
  return (
    <p className={styles.reduced}>
      {waivedUsd > 0 && (
        <span>
          Waived <span translate="no">${formatUsdAmount(waivedUsd)}</span>
        </span>
      )}
      {refundedUsd > 0 && (
        <span>
          Refunded <span translate="no">${formatUsdAmount(refundedUsd)}</span>
        </span>
      )}
      <span>
        {refundedUsd > 0 ? 'Net of refunds ' : 'Paid '}
        <span translate="no">${formatUsdAmount(netUsd)}</span>
      </span>
    </p>
  );
}

/** DASH-03: an order in the list. */
export function OrderCard({ order }: { readonly order: Order }) {
  const promo = formatPromoLabel(order.promoCode);
  const { discount_usd: discountUsd } = order;
  const alertText = findPaymentAlert(order);
  const titleId = `order-${order.id}`;
  return (
    <article className={styles.card} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId} className={styles.number}>
          <Link translate="no" className="unbroken" to={`/dashboard/orders/${order.id}`}>
            {order.number}
          </Link>
        </h2>
        <p className="muted small">
          <Moment at={order.created_at} shows="day" />
        </p>
        <p>
          <span className="visually-hidden">Status </span>
          <OrderStatus order={order} />
        </p>
      </header>
      {alertText !== null && <p className={styles.alert}>{alertText}</p>}
      <OrderLines items={order.order_items} />
      <footer className={styles.foot}>
        <p className={styles.promo}>
          {promo.name} {promo.detail}
          {order.promoCode && <span translate="no">{` · ${order.promoCode.code}`}</span>}
          {discountUsd > 0 && (
            <span translate="no" className={styles.discount}>
              −${formatUsdAmount(discountUsd)}
            </span>
          )}
        </p>
        <p className={styles.total}>
          <span>Total</span> <strong translate="no">{formatBtcAmount(order.total_btc_after)} BTC</strong>
          <span>${formatNumber(order.total_usd_after)}</span>
        </p>
        <ReducedBy order={order} />
        <p className={styles.actions}>
          {isPayable(order) && (
            <ButtonLink to="/cart" aria-label={`Pay order ${order.number}`}>
              Pay
            </ButtonLink>
          )}
          <ButtonLink
            to={`/dashboard/orders/${order.id}`}
            variant="secondary"
            aria-label={`View order ${order.number}`}
          >
            View
          </ButtonLink>
        </p>
      </footer>
    </article>
  );
}
