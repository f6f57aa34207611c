import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { isWithoutRate } from './is-without-rate.ts';
import { classNames } from '#src/ui/class-names.ts';
import styles from './price.module.css';

interface PriceProps {
  /** Null while there is no rate. */
  readonly btc: number | null;
  readonly usd: number;
  readonly size?: 'small' | 'large';
}

/** Bitcoin above dollars; only dollars while there is no rate. */
export function Price({ btc, usd, size = 'small' }: PriceProps) {
  if (isWithoutRate(btc, usd)) {
    return (
      <p className={classNames(styles.price, styles[size])}>
        <span className={styles.btc}>{`$${formatUsdAmount(usd)}`}</span>
      </p>
    );
  }
  return (
    <p className={classNames(styles.price, styles[size])}>
      <span className={styles.btc}>{`${formatBtcAmount(btc)} BTC`}</span>
      <span className={styles.usd}>{`or $${formatUsdAmount(usd)}`}</span>
    </p>
  );
}
