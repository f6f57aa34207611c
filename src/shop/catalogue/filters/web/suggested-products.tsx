import type { CardProduct } from '#src/storefront/products/card-product.ts';
import { ProductGrid } from './product-grid.tsx';
import styles from './suggested-products.module.css';

export interface SuggestedProducts {
  readonly nearest: readonly CardProduct[];
  readonly popular: readonly CardProduct[];
}

/** Nearest and popular products, below an empty list. */
export function Suggestions({ nearest, popular }: SuggestedProducts) {
  return (
    <>
      <SuggestedGroup id="nearest" title="Closest matches" products={nearest} />
      <SuggestedGroup id="popular" title="Popular products" products={popular} />
    </>
  );
}

interface SuggestedGroupProps {
  readonly id: string;
  readonly title: string;
  readonly products: readonly CardProduct[];
}

function SuggestedGroup({ id, title, products }: SuggestedGroupProps) {
  if (products.length === 0) return null;
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles.title}>
        {title}
      </h2>
      <ProductGrid products={products} isFirst={false} />
    </section>
  );
}
