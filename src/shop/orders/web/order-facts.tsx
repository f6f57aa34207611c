import type { Billing, Order } from '../contract.ts';
import type { OrderEventKind } from '../kinds.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { formatPromoLabel } from '#src/shop/promotions/promo-label.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { Timeline } from '../timeline/contract.ts';
import { CopyButton } from '#src/ui/copy-button.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import styles from './order-facts.module.css';
import { listOrderCharges } from './read-order.ts';

/** Totals of an order in both currencies. */
export function OrderTotals({ order }: { readonly order: Order }) {
  const { discount_btc: discountBtc, discount_usd: discountUsd } = order;
  const { rows, included } = listOrderCharges(order);
  const promo = formatPromoLabel(order.promoCode);
  return (
    <dl className={styles.totals}>
      <div>
        <dt>Subtotal</dt>
        <dd>
          {formatBtcAmount(order.total_price_btc)} BTC <span>${formatUsdAmount(order.total_price_usd)}</span>
        </dd>
      </div>
      <div>
        <dt>
          {promo.name} {promo.detail}
          {order.promoCode && ` · ${order.promoCode.code}`}
        </dt>
        {discountUsd > 0 && (
          <dd>
            −{formatBtcAmount(discountBtc)} BTC <span>−${formatUsdAmount(discountUsd)}</span>
          </dd>
        )}
      </div>
      {rows.map(({ label, value, isDeduction = false }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{typeof value === 'string' ? value : <Charge {...value} sign={isDeduction ? '−' : ''} />}</dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>Total</dt>
        <dd>
          {formatBtcAmount(order.total_btc_after)} BTC <span>${formatUsdAmount(order.total_usd_after)}</span>
        </dd>
      </div>
      {included.map(({ label, usd }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <span>${formatUsdAmount(usd)}</span>
          </dd>
        </div>
      ))}
      {order.tax?.buyer_vat_number && (
        <div>
          <dt>Your {order.tax.name} number</dt>
          <dd>{order.tax.buyer_vat_number}</dd>
        </div>
      )}
    </dl>
  );
}

function Charge({ sign, btc, usd }: { readonly sign: string; readonly btc: number; readonly usd: number }) {
  return (
    <>
      {`${sign}${formatBtcAmount(btc)} BTC `}
      <span>{`${sign}$${formatUsdAmount(usd)}`}</span>
    </>
  );
}

/** Delivery address in postal format. */
export function OrderAddress({ billing }: { readonly billing: Billing }) {
  const { firstName, lastName, streetAddress, houseNumber, postcode, city, country, phone, note } = billing;
  return (
    <address className={styles.address}>
      <span>
        {firstName} {lastName}
      </span>
      <span>
        {streetAddress} {houseNumber}
      </span>
      <span>
        {postcode} {city}
      </span>
      <span>{findCountryName(country) ?? country}</span>
      {phone !== undefined && <span>{phone}</span>}
      {note !== undefined && <span className={styles.note}>“{note}”</span>}
    </address>
  );
}

/** Shipping and delivery dates; renders nothing before shipping. */
export function OrderDelivery({
  orderTimeline,
}: {
  readonly orderTimeline: Pick<Timeline, 'timeline' | 'tracking_reference'>;
}) {
  const findTime = (kind: OrderEventKind): string | undefined =>
    orderTimeline.timeline.find((event) => event.kind === kind)?.at;
  const [shipped, delivered] = [findTime('shipped'), findTime('delivered')];
  if (shipped === undefined) return null;
  return (
    <dl className={styles.delivery}>
      <div>
        <dt>Shipped</dt>
        <dd>
          <Moment at={shipped} shows="moment" />
        </dd>
      </div>
      {orderTimeline.tracking_reference !== null && (
        <div>
          <dt>Tracking reference</dt>
          <dd>
            <code>{orderTimeline.tracking_reference}</code>
            <CopyButton text={orderTimeline.tracking_reference} contentName="tracking reference" variant="quaternary" />
          </dd>
        </div>
      )}
      {delivered !== undefined && (
        <div>
          <dt>Delivered</dt>
          <dd>
            <Moment at={delivered} shows="moment" />
          </dd>
        </div>
      )}
    </dl>
  );
}

interface OrderPaymentProps {
  readonly order: Order;
  /** USD per BTC, as quoted. */
  readonly rate: number;
  readonly paidAt: string | null;
}

/** Payment details: method, rate, address. */
export function OrderPayment({ order, rate, paidAt }: OrderPaymentProps) {
  const { payment, payment_status: status } = order;
  return (
    <dl className={styles.payment}>
      {paidAt !== null && (
        <div>
          <dt>Paid</dt>
          <dd>
            <Moment at={paidAt} shows="moment" />
          </dd>
        </div>
      )}
      <div>
        <dt>{status === 'expired' || status === 'cancelled' ? 'Quoted amount' : 'Amount due'}</dt>
        <dd>{formatExactBtc(payment.amount_btc)} BTC</dd>
      </div>
      {payment.received_btc > 0 && (
        <div>
          <dt>Received</dt>
          <dd>{formatExactBtc(payment.received_btc)} BTC</dd>
        </div>
      )}
      <div>
        <dt>Rate</dt>
        <dd>1 BTC = ${formatUsdAmount(rate)}</dd>
      </div>
      <div>
        <dt>Wallet address</dt>
        <dd>
          <code>{payment.address}</code>
        </dd>
      </div>
    </dl>
  );
}
