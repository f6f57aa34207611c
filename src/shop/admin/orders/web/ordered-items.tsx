import type { ReactNode } from 'react';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import type { Order, OrderItem } from '#src/shop/orders/contract.ts';
import { listOrderCharges } from '#src/shop/orders/web/read-order.ts';
import { formatExactBtc, subtractBtc, subtractUsd } from '#src/shop/payments/ledger/exact-amounts.ts';
import { formatPromoLabel } from '#src/shop/promotions/promo-label.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Facts } from '#src/ui/display/facts.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import styles from './ordered-items.module.css';

/** What was sold, and what it comes to: dollars first, then bitcoin, each in a column. */
export function OrderedItems({ order }: { readonly order: Order }) {
  return (
    <Section title="Items" gap={12}>
      <div className={styles.frame}>
        <Lines isFramed className={classNames('tabular', styles.items)}>
          {order.order_items.map((item) => (
            <Item
              key={`${item.product_id} ${item.property_values.map(({ id }) => id).join()} ${item.isFree}`}
              item={item}
            />
          ))}
        </Lines>
        <Sums order={order} />
      </div>
    </Section>
  );
}

function Item({ item }: { readonly item: OrderItem }) {
  return (
    <li>
      <Picture path={item.product.main_image} alt="" sizes="40px" width={40} height={40} className={styles.picture} />
      <div>
        <p className="strong wrap-anywhere">
          <Unbroken text={item.product.name} />
        </p>
        <p className="muted small wrap-anywhere">{item.property_values.map(({ value }) => value).join(', ')}</p>
        {item.sku !== null && (
          <p className="muted small wrap-anywhere">
            SKU <span translate="no">{item.sku}</span>
          </p>
        )}
      </div>
      <p translate="no" className={classNames('muted unbroken', styles.units)}>
        {item.quantity} × {item.isFree ? 'FREE' : `$${formatUsdAmount(item.price_usd)}`}
      </p>
      {!item.isFree && (
        <p translate="no" className={styles.figures}>
          <span>${formatUsdAmount(item.total_usd)}</span>{' '}
          <span className="muted regular">{formatBtcAmount(item.total_btc)} BTC</span>
        </p>
      )}
    </li>
  );
}

/** Subtotal, discount, shipping, tax and total; then what was waived, paid and refunded of it. */
function Sums({ order }: { readonly order: Order }) {
  const { discount_btc: discountBtc, discount_usd: discountUsd, promoCode } = order;
  const { rows, included } = listOrderCharges(order);
  const promo = formatPromoLabel(promoCode);
  return (
    <Facts layout="sums">
      <Sum label="Subtotal" usd={order.total_price_usd} btc={order.total_price_btc} />
      {(promoCode !== null || discountUsd > 0) && (
        <Sum
          label={
            <>
              {promo.name} {promo.detail}
              {promoCode && <span translate="no">{` · ${promoCode.code}`}</span>}
            </>
          }
          usd={-discountUsd}
          btc={-discountBtc}
        />
      )}
      {rows.map(({ label, value, isDeduction = false }) =>
        typeof value === 'string' ? (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ) : (
          <Sum
            key={label}
            label={label}
            usd={isDeduction ? -value.usd : value.usd}
            btc={isDeduction ? -value.btc : value.btc}
          />
        ),
      )}
      <Sum label="Total" usd={order.total_usd_after} btc={order.total_btc_after} isTotal />
      {included.map(({ label, usd }) => (
        <Sum key={label} label={label} usd={usd} />
      ))}
      <Outcome order={order} />
    </Facts>
  );
}

/** What became of the total. Nothing while the order is not paid. */
function Outcome({ order }: { readonly order: Order }) {
  const { payment_status: status, refunded_btc: refundedBtc, refunded_usd: refundedUsd } = order;
  const { waived_btc: waivedBtc, waived_usd: waivedUsd } = order;
  const isSold = status === 'paid' || status === 'refunded';
  if (!isSold && waivedUsd === 0 && refundedUsd === 0) return null;
  return (
    <>
      {waivedUsd > 0 && <Sum label="Waived" usd={-waivedUsd} btc={-waivedBtc} />}
      {isSold && (
        <Sum
          label="Paid"
          usd={subtractUsd(order.total_usd_after, waivedUsd)}
          btc={subtractBtc(order.total_btc_after, waivedBtc)}
        />
      )}
      {refundedUsd > 0 && <Sum label="Refunded" usd={-refundedUsd} btc={-refundedBtc} />}
      {(waivedUsd > 0 || refundedUsd > 0) && (
        <Sum label="Total, net of refunds" usd={order.net_usd} btc={order.net_btc} isTotal />
      )}
    </>
  );
}

const formatSign = (amount: number): string => (amount < 0 ? '−' : '');

interface SumProps {
  readonly label: ReactNode;
  /** Negative for what is taken off. */
  readonly usd: number;
  /** Without: the sum is a part of another one. */
  readonly btc?: number;
  readonly isTotal?: boolean;
}

const Sum = ({ label, usd, btc, isTotal = false }: SumProps) => (
  <div data-total={isTotal || undefined}>
    <dt>{label}</dt>
    <dd translate="no" className={styles.figures}>
      <span>{`${formatSign(usd)}$${formatUsdAmount(Math.abs(usd))}`}</span>{' '}
      <span className="muted regular">
        {btc !== undefined && `${formatSign(btc)}${formatExactBtc(Math.abs(btc))} BTC`}
      </span>
    </dd>
  </div>
);
