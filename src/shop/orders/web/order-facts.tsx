import type { Billing, Order } from '../contract.ts';
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
        <dd translate="no">
          {formatBtcAmount(order.total_price_btc)} BTC <span>${formatUsdAmount(order.total_price_usd)}</span>
        </dd>
      </div>
      <div>
        <dt>
          {promo.name} {promo.detail}
          {order.promoCode && <span translate="no">{` · ${order.promoCode.code}`}</span>}
        </dt>
        {discountUsd > 0 && (
          <dd translate="no">
            −{formatBtcAmount(discountBtc)} BTC <span>−${formatUsdAmount(discountUsd)}</span>
          </dd>
        )}
      </div>
      {rows.map(({ label, value, isDeduction = false }) => (
        <div key={label}>
          <dt>{label}</dt>
          {typeof value === 'string' ? <dd>{value}</dd> : <Charge {...value} sign={isDeduction ? '−' : ''} />}
        </div>
      ))}
      <div className={styles.total}>
        <dt>Total</dt>
        <dd translate="no">
          {formatBtcAmount(order.total_btc_after)} BTC <span>${formatUsdAmount(order.total_usd_after)}</span>
        </dd>
      </div>
      {included.map(({ label, usd }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd translate="no">
            <span>${formatUsdAmount(usd)}</span>
          </dd>
        </div>
      ))}
      <NetTotals order={order} />
    </dl>
  );
}

/** What was waived and refunded, and what is left. Renders nothing if neither happened. */
function NetTotals({ order }: { readonly order: Order }) {
  const { net_btc: netBtc, net_usd: netUsd, refunded_btc: refundedBtc, refunded_usd: refundedUsd } = order;
  const { waived_btc: waivedBtc, waived_usd: waivedUsd } = order;
  if (waivedUsd === 0 && refundedUsd === 0) return null;
  return (
    <>
      {waivedUsd > 0 && (
        <div>
          <dt>Waived</dt>
          <Charge sign="−" btc={waivedBtc} usd={waivedUsd} />
        </div>
      )}
      {refundedUsd > 0 && (
        <div>
          <dt>Refunded</dt>
          <Charge sign="−" btc={refundedBtc} usd={refundedUsd} />
        </div>
      )}
      <div className={styles.total}>
        <dt>{refundedUsd > 0 ? 'Total, net of refunds' : 'Total paid'}</dt>
        <Charge sign={netBtc < 0 ? '−' : ''} btc={Math.abs(netBtc)} usd={netUsd} />
      </div>
    </>
  );
}

function Charge({ sign, btc, usd }: { readonly sign: string; readonly btc: number; readonly usd: number }) {
  return (
    <dd translate="no">
      {`${sign}${formatExactBtc(btc)} BTC `}
      <span>{`${sign}$${formatUsdAmount(usd)}`}</span>
    </dd>
  );
}

/** Delivery address in postal format. */
export function OrderAddress({ billing }: { readonly billing: Billing }) {
  const { firstName, lastName, streetAddress, houseNumber, postcode, city, country, phone, note, vatNumber } = billing;
  return (
    <address translate="no" className={styles.address}>
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
      {vatNumber !== undefined && <span>VAT number {vatNumber}</span>}
      {phone !== undefined && <span>{phone}</span>}
      {note !== undefined && <span className={styles.note}>“{note}”</span>}
    </address>
  );
}

/** Parcels and delivery date; renders nothing before shipping. */
export function OrderDelivery({
  orderTimeline: { shipments, timeline },
}: {
  readonly orderTimeline: Pick<Timeline, 'timeline' | 'shipments'>;
}) {
  const delivered = timeline.find(({ kind }) => kind === 'delivered')?.at;
  const isSplit = shipments.length > 1 || timeline.some(({ kind }) => kind === 'partly_shipped');
  return shipments.map((shipment, index) => (
    <dl key={shipment.number} className={styles.delivery}>
      <div>
        <dt>{isSplit ? `Parcel ${shipment.number} shipped` : 'Shipped'}</dt>
        <dd>
          <Moment at={shipment.shipped_at} shows="moment" />
        </dd>
      </div>
      {isSplit && (
        <div>
          <dt>Contains</dt>
          <dd>{shipment.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}</dd>
        </div>
      )}
      {shipment.items
        .filter(({ serials }) => serials.length > 0)
        .map(({ name, serials }) => (
          <div key={`${name} ${serials.join()}`}>
            <dt>{serials.length === 1 ? `Serial number of ${name}` : `Serial numbers of ${name}`}</dt>
            <dd translate="no">{serials.join(', ')}</dd>
          </div>
        ))}
      {shipment.tracking_number !== null && (
        <div>
          <dt>{shipment.carrier === null ? 'Tracking reference' : `Tracking reference of ${shipment.carrier}`}</dt>
          <dd>
            <code translate="no">{shipment.tracking_number}</code>
            <CopyButton text={shipment.tracking_number} contentName="tracking reference" variant="quaternary" />
          </dd>
        </div>
      )}
      {shipment.tracking_number === null && shipment.carrier !== null && (
        <div>
          <dt>Carrier</dt>
          <dd>{shipment.carrier}</dd>
        </div>
      )}
      {shipment.tracking_url !== null && (
        <div>
          <dd>
            <a className={styles.track} href={shipment.tracking_url} target="_blank" rel="noreferrer">
              Track the parcel
            </a>
          </dd>
        </div>
      )}
      {index === shipments.length - 1 && delivered !== undefined && (
        <div>
          <dt>Delivered</dt>
          <dd>
            <Moment at={delivered} shows="moment" />
          </dd>
        </div>
      )}
    </dl>
  ));
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
        <dd translate="no">{formatExactBtc(payment.amount_btc)} BTC</dd>
      </div>
      {payment.received_btc > 0 && (
        <div>
          <dt>Received</dt>
          <dd translate="no">{formatExactBtc(payment.received_btc)} BTC</dd>
        </div>
      )}
      <div>
        <dt>Rate</dt>
        <dd>1 BTC = ${formatUsdAmount(rate)}</dd>
      </div>
      <div>
        <dt>Wallet address</dt>
        <dd>
          <code translate="no">{payment.address}</code>
        </dd>
      </div>
    </dl>
  );
}
