import { btcText, usdText } from './amounts.ts';
import { classNames } from './class-names.ts';
import styles from './price.module.css';

interface PriceProps {
  readonly btc: number;
  readonly usd: number;
  readonly size?: 'small' | 'large';
}

/** Bitcoin first, dollars beneath. */
export function Price({ btc, usd, size = 'small' }: PriceProps) {
  return (
    <p className={classNames(styles.price, styles[size])}>
      <span className={styles.btc}>{`${btcText(btc)} BTC`}</span>
      <span className={styles.usd}>{`or $${usdText(usd)}`}</span>
    </p>
  );
}
