import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { preloadPicture } from '#src/ui/graphics/picture.tsx';
import type { CardProduct } from '#src/storefront/products/card-product.ts';
import { PriceNote } from '#src/storefront/products/price-note.tsx';
import { ProductCard } from '#src/storefront/products/product-card.tsx';
import { CompareBox } from '../../compare/web/compare-box.tsx';
import styles from './product-grid.module.css';

const CARD_WIDTHS = '(max-width: 767px) 40vw, (max-width: 1199px) 28vw, 256px';

/** Number of cards loaded eagerly. */
const EAGER_COUNT = 2;

interface ProductGridProps {
  readonly products: readonly CardProduct[];
  /** Whether its first cards are visible initially. */
  readonly isFirst: boolean;
  /** Whether each card has a compare box. */
  readonly isComparable?: boolean;
}

function Grid({ products, isFirst, isComparable }: ProductGridProps) {
  return (
    <div className={styles.place}>
      <ul className={styles.grid}>
        {products.map((product, index) => (
          <li key={product.id}>
            <ProductCard product={product} sizes={CARD_WIDTHS} isFirst={isFirst && index < EAGER_COUNT} />
            {isComparable && <CompareBox product={product} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

const CachedGrid = !import.meta.env.SSR
  ? Grid
  : cacheFragment(Grid, (props) => {
      const first = props.isFirst ? props.products.slice(0, EAGER_COUNT) : [];
      for (const { main_image } of first) preloadPicture(main_image, CARD_WIDTHS);
      return JSON.stringify(props);
    });

/** Cards of a list, and what is said of their prices. */
export const ProductGrid = (props: ProductGridProps) => (
  <>
    <CachedGrid {...props} />
    {props.products.length > 0 && <PriceNote isOfList />}
  </>
);
