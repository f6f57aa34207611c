import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { ProductPrice } from '#src/storefront/products/product-price.tsx';
import rowStyles from '#src/storefront/products/product-row.module.css';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import type { SimilarComparison } from '../compare-similar.ts';
import styles from './compare-strip.module.css';

interface CompareStripProps extends SimilarComparison {
  /** Slug of the product of the page. */
  readonly current: string;
}

function Strip({ names, products, url, current }: CompareStripProps) {
  return (
    <section aria-labelledby="similar-title">
      <div className={rowStyles.head}>
        <h2 id="similar-title">Compare with similar products</h2>
        <Link to={url} className="link">
          Compare all details
        </Link>
      </div>
      <ul className={styles.products}>
        {products.map((product) => (
          <li key={product.slug} aria-current={product.slug === current || undefined}>
            <Picture path={product.main_image} alt="" sizes="(max-width: 767px) 40vw, 240px" />
            <h3>
              {product.slug === current ? (
                <>
                  {product.name} <span className="muted small regular">This product</span>
                </>
              ) : (
                <Link to={`/catalog/product/${product.slug}`} prefetch="intent">
                  <Unbroken text={product.name} />
                </Link>
              )}
            </h3>
            <ProductPrice product={product} />
            <dl>
              {names.map((name, index) => (
                <div key={name}>
                  <dt className="muted small">{name}</dt>
                  <dd>
                    <Unbroken text={product.facts[index] ?? ''} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The product beside similar ones, with the facts that differ. */
export const CompareStrip = cacheFragment(Strip);
