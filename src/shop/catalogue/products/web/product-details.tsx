import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { Product } from '../../contract.ts';
import styles from './product-details.module.css';
import { Unbroken } from '#src/ui/unbroken.tsx';

interface ProductDetailsProps {
  readonly product: Pick<Product, 'name' | 'slug' | 'article' | 'category_name' | 'description' | 'specifications'>;
}

const splitParagraphs = (text: string): readonly string[] => text.split(/\n\s*\n/).filter((part) => part.trim() !== '');

function Details({ product }: ProductDetailsProps) {
  const { name, slug, article, category_name: category, description, specifications } = product;
  const paragraphs = splitParagraphs(description);
  return (
    <div className={styles.details}>
      {paragraphs.length > 0 && (
        <section aria-labelledby="about-title" className={styles.section}>
          <h2 id="about-title">
            <Unbroken text={`About ${name}`} />
          </h2>
          <div className={styles.about}>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>
                <Unbroken text={paragraph} />
              </p>
            ))}
          </div>
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
  const { name, slug, article, category_name, description, specifications } = product;
  return JSON.stringify([name, slug, article, category_name, description, specifications]);
});
