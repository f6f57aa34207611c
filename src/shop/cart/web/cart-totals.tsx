import type { ReactNode } from 'react';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import type { ChargeRow, IncludedRow } from '../charge-rows.ts';
import { isWithoutRate } from '#src/storefront/products/is-without-rate.ts';
import styles from './cart-totals.module.css';

export interface Totals {
  readonly subtotalBtc: number;
  readonly subtotalUsd: number;
  /** Percent; 0 for none. */
  readonly discount: number;
  readonly discountBtc: number;
  readonly discountUsd: number;
  readonly totalBtc: number;
  /** Formatted: with cents for a cart, whole dollars for an order. */
  readonly totalUsd: string;
  /** Name and benefit of a promo code that gives something other than a discount. */
  readonly promo?: { readonly name: string; readonly detail: string | null } | null;
  /** Shipping and tax, above and below the total. Omitted: free shipping, no tax. */
  readonly charges?: { readonly rows: readonly ChargeRow[]; readonly included: readonly IncludedRow[] };
}

interface CartTotalsProps {
  readonly totals: Totals;
  readonly title?: string;
  /** Whether a change is pending, so that the amounts may be outdated. */
  readonly isStale?: boolean;
  readonly children?: ReactNode;
}

const FREE: NonNullable<Totals['charges']> = { rows: [{ label: 'Shipping', value: 'Free' }], included: [] };

/** At most two decimals. */
const formatPercent = (percent: number): string => String(Math.round(percent * 100) / 100);

interface AmountProps {
  readonly sign?: string;
  /** Null without a rate. */
  readonly btc: number | null;
  readonly usd: string;
}

function Amount({ sign = '', btc, usd }: AmountProps) {
  if (btc === null) return <dd translate="no">{`${sign}$${usd}`}</dd>;
  return (
    <dd translate="no">
      {`${sign}${formatBtcAmount(btc)} BTC `}
      <span>{`${sign}$${usd}`}</span>
    </dd>
  );
}

/** Right column of all three steps. */
export function CartTotals({ totals, title = 'Cart Totals', isStale = false, children }: CartTotalsProps) {
  const hasNoRate = isWithoutRate(totals.subtotalBtc, totals.subtotalUsd);
  const { rows, included } = totals.charges ?? FREE;
  return (
    <aside className={styles.card} aria-labelledby="totals-title">
      <h2 id="totals-title" className={styles.title}>
        {title}
      </h2>
      <dl className={styles.rows} aria-live="polite" aria-busy={isStale}>
        <div>
          <dt>Subtotal</dt>
          <Amount btc={hasNoRate ? null : totals.subtotalBtc} usd={formatUsdAmount(totals.subtotalUsd)} />
        </div>
        {totals.discount > 0 && (
          <div>
            <dt>{`Discount ${formatPercent(totals.discount)}%`}</dt>
            <Amount sign="−" btc={hasNoRate ? null : totals.discountBtc} usd={formatUsdAmount(totals.discountUsd)} />
          </div>
        )}
        {totals.promo && (
          <div className={styles.promo}>
            <dt>Promo</dt>
            <dd>{`${totals.promo.name} ${totals.promo.detail ?? ''}`.trimEnd()}</dd>
          </div>
        )}
        {rows.map(({ label, value, isDeduction = false }) => (
          <div key={label}>
            <dt>{label}</dt>
            {typeof value === 'string' ? (
              <dd>{value}</dd>
            ) : (
              <Amount
                sign={isDeduction ? '−' : ''}
                btc={hasNoRate ? null : value.btc}
                usd={formatUsdAmount(value.usd)}
              />
            )}
          </div>
        ))}
        <div className={styles.total}>
          <dt>Total</dt>
          <Amount btc={hasNoRate ? null : totals.totalBtc} usd={totals.totalUsd} />
        </div>
        {included.map(({ label, usd }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd translate="no">${formatUsdAmount(usd)}</dd>
          </div>
        ))}
      </dl>
      {children}
    </aside>
  );
}
