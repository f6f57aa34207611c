import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { ProductDetail } from '../../contract.ts';
import { AboutProduct, hasDescription } from './about-product.tsx';
import styles from './product-details.module.css';
import { Unbroken } from '#src/ui/unbroken.tsx';

interface ProductDetailsProps {
  readonly product: Pick<
    ProductDetail,
    | 'name'
    | 'slug'
    | 'article'
    | 'category_name'
    | 'description'
    | 'description_elements'
    | 'in_the_box'
    | 'specifications'
  >;
  /** Labels and texts. */
  readonly safety: readonly (readonly [label: string, text: string])[];
}

interface FactsSectionProps {
  readonly id: string;
  readonly title: string;
  readonly facts: ProductDetailsProps['safety'];
  /** Below the title. */
  readonly children?: ReactNode;
}

const FactsSection = ({ id, title, facts, children }: FactsSectionProps) => (
  <section aria-labelledby={id} className={styles.section}>
    <div>
      <h2 id={id}>{title}</h2>
      {children}
    </div>
    <dl className={styles.specifications}>
      {facts.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <Unbroken text={value} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

function Details({ product, safety }: ProductDetailsProps) {
  const { name, slug, article, category_name: category, description, specifications } = product;
  // A line that is written twice is in the box once.
  const inTheBox = [...new Set(product.in_the_box)];
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
      <FactsSection
        id="specifications-title"
        title="Specifications"
        facts={Object.entries({ ...specifications, 'Article number': article })}
      >
        <Link to={`/compare?products=${slug}`} className={styles.compare}>
          {`Compare with other ${category}`}
        </Link>
      </FactsSection>
      {inTheBox.length > 0 && (
        <section aria-labelledby="box-title" className={styles.section}>
          <h2 id="box-title">In the box</h2>
          <ul className={styles.box}>
            {inTheBox.map((thing) => (
              <li key={thing}>
                <Unbroken text={thing} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {safety.length > 0 && <FactsSection id="safety-title" title="Product safety" facts={safety} />}
    </div>
  );
}

/** Description and specifications of a product. */
export const ProductDetails = cacheFragment(Details, ({ product, safety }) => {
  const { name, slug, article, category_name, description, description_elements, in_the_box, specifications } = product;
  return JSON.stringify([
    name,
    slug,
    article,
    category_name,
    description,
    description_elements,
    in_the_box,
    specifications,
    safety,
  ]);
});
