import type { Billing, Order } from '../contract.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { formatPromoLabel } from '#src/shop/promotions/promo-label.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { WalletAddress } from '#src/shop/payments/web/wallet-address.tsx';
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
        <dd className="small">
          <WalletAddress address={payment.address} />
        </dd>
      </div>
    </dl>
  );
}
