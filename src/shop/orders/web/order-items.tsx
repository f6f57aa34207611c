import type { OrderItem } from '../contract.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './order-items.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

/** Short list of the ordered items. */
export function OrderItems({ items }: { readonly items: readonly OrderItem[] }) {
  return (
    <ul className={styles.items}>
      {items.map((item) => (
        <li key={`${item.product_id} ${item.property_values.map(({ id }) => id).join()} ${item.isFree}`}>
          <Picture
            path={item.product.main_image}
            alt=""
            sizes="56px"
            width={56}
            height={56}
            className={styles.picture}
          />
          <div className={styles.content}>
            <p className={classNames('strong', styles.name)}>
              <Unbroken text={item.product.name} /> <span>x {item.quantity}</span>
            </p>
            <p className="muted tabular">{item.property_values.map(({ value }) => value).join(', ')}</p>
            {item.sku !== null && (
              <p className="muted tabular">
                SKU <span translate="no">{item.sku}</span>
              </p>
            )}
            {item.isFree ? (
              <p className="tabular">FREE</p>
            ) : (
              <>
                <p translate="no" className="muted tabular">
                  {item.quantity} × ${formatUsdAmount(item.price_usd)}
                </p>
                <p translate="no" className="tabular">
                  {formatBtcAmount(item.total_btc)} BTC · ${formatUsdAmount(item.total_usd)}
                </p>
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
