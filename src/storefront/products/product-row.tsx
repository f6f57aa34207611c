import { useId } from 'react';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { PriceNote } from './price-note.tsx';
import type { CardProduct } from './card-product.ts';
import { ProductCard } from './product-card.tsx';
import styles from './product-row.module.css';
import { Carousel } from '#src/ui/controls/carousel.tsx';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

export interface ProductRowProps {
  readonly title: string;
  /** Target of 'View all'; absent if the row shows everything. */
  readonly to?: string;
  readonly products: readonly CardProduct[];
  /** Whether its first product is twice as wide, on a wide screen. */
  readonly hasLargeTile?: boolean;
}

export function ProductRow({ title, to, products, hasLargeTile = false }: ProductRowProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>
          <Unbroken text={title} />
        </h2>
        {to !== undefined && (
          <Link to={to} prefetch="intent" className={styles.all} aria-describedby={headingId}>
            View all
            <Icon name="chevronRight" size={16} />
          </Link>
        )}
      </div>
      <Cards title={title} products={products} hasLargeTile={hasLargeTile} />
      <PriceNote isOfList />
    </section>
  );
}

const Cards = cacheFragment(({ title, products, hasLargeTile }: Omit<ProductRowProps, 'to'>) => (
  <Carousel label={title}>
    {products.map((product, index) => (
      <li key={product.id} className={index === 0 && hasLargeTile ? styles.large : undefined}>
        <ProductCard product={product} />
      </li>
    ))}
  </Carousel>
));
