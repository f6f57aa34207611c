import { Link } from 'react-router';
import type { OrderItem } from '../contract.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './order-lines.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

/** DASH-03: all ordered items. */
export function OrderLines({ items }: { readonly items: readonly OrderItem[] }) {
  return (
    <ul className={styles.lines}>
      {items.map((item) => (
        <li
          key={`${item.product_id} ${item.property_values.map(({ id }) => id).join()} ${item.isFree}`}
          className={styles.line}
        >
          <Picture
            path={item.product.main_image}
            alt=""
            sizes="128px"
            width={128}
            height={128}
            className={styles.picture}
          />
          <div className="wrap-anywhere">
            <p className={classNames('strong', styles.name)}>
              <Link to={`/catalog/product/${item.product.slug}`}>
                <Unbroken text={item.product.name} />
              </Link>{' '}
              <span>x {item.quantity}</span>
            </p>
            <p className={classNames('muted small', styles.about)}>
              {item.property_values.map(({ value }) => value).join(', ')}
            </p>
            {item.sku !== null && (
              <p className={classNames('muted small', styles.about)}>
                SKU <span translate="no">{item.sku}</span>
              </p>
            )}
            {!item.isFree && (
              <p className={classNames('muted small tabular', styles.each)}>
                <span translate="no">{formatBtcAmount(item.price_btc)} BTC</span> or{' '}
                <span translate="no">${formatUsdAmount(item.price_usd)}</span> each
              </p>
            )}
            {item.isFree && <p className={styles.gift}>FREE GIFT</p>}
          </div>
          {item.isFree ? (
            <p className={styles.price}>
              <strong>FREE</strong>
            </p>
          ) : (
            <p translate="no" className={styles.price}>
              <strong>{formatBtcAmount(item.total_btc)} BTC</strong>
              <span>${formatUsdAmount(item.total_usd)}</span>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
