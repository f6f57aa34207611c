import type { ReactNode } from 'react';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { isWithoutRate } from './is-without-rate.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './price.module.css';

interface ReductionProps {
  /** Lowest price in the 30 days before the reduction; missing without one. */
  readonly was?: number | null | undefined;
}

interface PriceProps extends ReductionProps {
  /** Null while there is no rate. */
  readonly btc: number | null;
  readonly usd: number;
  readonly size?: 'small' | 'large';
  /** Other variants cost more. */
  readonly isFrom?: boolean;
  /** Below the price. */
  readonly children?: ReactNode;
}

/** The price that a reduced price is compared with (Directive 98/6/EC, article 6a). */
export function Reduction({ was }: ReductionProps) {
  if (!was) return null;
  return (
    <span className={styles.reduction}>
      {'Was '}
      <s translate="no">{`$${formatUsdAmount(was)}`}</s>
      {', the lowest price in the 30 days before'}
    </span>
  );
}

/** Bitcoin above dollars; only dollars while there is no rate. */
export function Price({ btc, usd, size = 'small', isFrom = false, was, children }: PriceProps) {
  const dollars = `$${formatUsdAmount(usd)}`;
  const hasRate = !isWithoutRate(btc, usd);
  return (
    <p className={classNames(styles.price, styles[size])}>
      <span className={styles.btc}>
        {isFrom && <span>From </span>}
        <span translate="no">{hasRate ? `${formatBtcAmount(btc)} BTC` : dollars}</span>
      </span>
      {hasRate && (
        <span className={styles.usd}>
          {'or '}
          <span translate="no">{dollars}</span>
        </span>
      )}
      <Reduction was={was} />
      {children}
    </p>
  );
}
