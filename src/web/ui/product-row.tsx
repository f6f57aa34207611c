import { useId } from 'react';
import { Link } from 'react-router';
import { Icon } from './icons.tsx';
import type { CardProduct } from './product-card.tsx';
import { ProductCard } from './product-card.tsx';
import styles from './product-row.module.css';
import { Slider } from './slider.tsx';

interface ProductRowProps {
  readonly title: string;
  /** Where 'View all' goes. */
  readonly to: string;
  readonly products: readonly CardProduct[];
  /** The first row of the page. */
  readonly isFirst?: boolean;
}

export function ProductRow({ title, to, products, isFirst = false }: ProductRowProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>{title}</h2>
        <Link to={to} prefetch="intent" className={styles.all} aria-describedby={headingId}>
          View all
          <Icon name="chevronRight" size={16} />
        </Link>
      </div>
      <Slider label={title}>
        {products.map((product, index) => (
          <li key={product.id}>
            <ProductCard product={product} isFirst={isFirst && index < 2} />
          </li>
        ))}
      </Slider>
    </section>
  );
}
