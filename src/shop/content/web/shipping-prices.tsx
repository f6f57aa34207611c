import type { DescribedZone } from '#src/shop/shipping/describe-zone.ts';
import styles from './free-shipping-page.module.css';

/** Shipping prices by zone. */
export function ShippingPrices({ zones }: { readonly zones: readonly DescribedZone[] }) {
  return (
    <section aria-labelledby="prices-title" className={styles.columns}>
      <h2 id="prices-title">Shipping costs</h2>
      <dl className={styles.times}>
        {zones.map(({ name, countries, prices }) => (
          <div key={name}>
            <dt>
              {name}
              <p className={styles.countries}>{countries}</p>
            </dt>
            <dd>
              {prices.map((price) => (
                <p key={price}>{price}</p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
