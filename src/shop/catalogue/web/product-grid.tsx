import type { CardProduct } from '#src/web/ui/product-card.tsx';
import { ProductCard } from '#src/web/ui/product-card.tsx';
import styles from './product-grid.module.css';

const CARD_WIDTHS = '(max-width: 767px) 40vw, (max-width: 1199px) 28vw, 256px';

interface ProductGridProps {
  readonly products: readonly CardProduct[];
  /** Its first cards are among the first things seen. */
  readonly isFirst: boolean;
}

export function ProductGrid({ products, isFirst }: ProductGridProps) {
  return (
    <div className={styles.place}>
      <ul className={styles.grid}>
        {products.map((product, index) => (
          <li key={product.id}>
            <ProductCard product={product} sizes={CARD_WIDTHS} isFirst={isFirst && index < 2} />
          </li>
        ))}
      </ul>
    </div>
  );
}
