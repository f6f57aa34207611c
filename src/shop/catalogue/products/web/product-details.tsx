import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { ProductDetail } from '../../contract.ts';
import { AboutProduct, hasDescription } from './about-product.tsx';
import { Chapters } from './chapters.tsx';
import styles from './product-details.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

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
    | 'chapters'
    | 'picture_alts'
    | 'specifications'
  >;
  /** Labels and texts. */
  readonly safety: readonly (readonly [label: string, text: string])[];
}

interface DetailSectionProps {
  readonly id: string;
  readonly title: string;
  /** Below the title. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

const DetailSection = ({ id, title, below, children }: DetailSectionProps) => (
  <section aria-labelledby={id} className={styles.section}>
    <div>
      <h2 id={id}>
        <Unbroken text={title} />
      </h2>
      {below}
    </div>
    {children}
  </section>
);

const Facts = ({ facts }: { readonly facts: ProductDetailsProps['safety'] }) => (
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
);

function Details({ product, safety }: ProductDetailsProps) {
  const about = { description: product.description, elements: product.description_elements ?? null };
  return (
    <div className={styles.details}>
      <Chapters {...product} />
      {hasDescription(about) && (
        <DetailSection id="about-title" title={`About ${product.name}`}>
          <AboutProduct {...about} />
        </DetailSection>
      )}
      <DetailSection
        id="specifications-title"
        title="Specifications"
        below={
          <Link to={`/compare?products=${product.slug}`} className={styles.compare}>
            {`Compare with other ${product.category_name}`}
          </Link>
        }
      >
        <Facts facts={Object.entries({ ...product.specifications, 'Article number': product.article })} />
      </DetailSection>
      {!!product.in_the_box?.length && (
        <DetailSection id="box-title" title="In the box">
          <ul className={styles.box}>
            {product.in_the_box.map((thing) => (
              <li key={thing}>
                <Unbroken text={thing} />
              </li>
            ))}
          </ul>
        </DetailSection>
      )}
      {safety.length > 0 && (
        <DetailSection id="safety-title" title="Product safety">
          <Facts facts={safety} />
        </DetailSection>
      )}
    </div>
  );
}

/** Chapters, description and specifications of a product. */
export const ProductDetails = !import.meta.env.SSR
  ? Details
  : cacheFragment(Details, ({ product, safety }) =>
      JSON.stringify([
        product.name,
        product.slug,
        product.article,
        product.category_name,
        product.description,
        product.description_elements,
        product.in_the_box,
        product.chapters,
        product.chapters?.map(({ picture }) => picture && product.picture_alts[picture]),
        product.specifications,
        safety,
      ]),
    );
