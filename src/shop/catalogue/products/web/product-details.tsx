import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { ProductDetail } from '../../contract.ts';
import { AboutProduct, hasDescription } from './about-product.tsx';
import styles from './product-details.module.css';
import { Unbroken } from '#src/ui/unbroken.tsx';

interface ProductDetailsProps {
  readonly product: Pick<
    ProductDetail,
    'name' | 'slug' | 'article' | 'category_name' | 'description' | 'description_elements' | 'specifications'
  >;
}

function Details({ product }: ProductDetailsProps) {
  const { name, slug, article, category_name: category, description, specifications } = product;
  const about = { description, elements: product.description_elements ?? null };
  return (
    <div className={styles.details}>
      {hasDescription(about) && (
        <section aria-labelledby="about-title" className={styles.section}>
          <h2 id="about-title">
            <Unbroken text={`About ${name}`} />
          </h2>
          <AboutProduct {...about} />
        </section>
      )}
      <section aria-labelledby="specifications-title" className={styles.section}>
        <div>
          <h2 id="specifications-title">Specifications</h2>
          <Link to={`/compare?products=${slug}`} className={styles.compare}>
            {`Compare with other ${category}`}
          </Link>
        </div>
        <dl className={styles.specifications}>
          {Object.entries({ ...specifications, 'Article number': article }).map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>
                <Unbroken text={value} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

/** Description and specifications of a product. */
export const ProductDetails = cacheFragment(Details, ({ product }) => {
  const { name, slug, article, category_name, description, description_elements, specifications } = product;
  return JSON.stringify([name, slug, article, category_name, description, description_elements, specifications]);
});
