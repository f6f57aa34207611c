import { Link } from 'react-router';
import { Icon } from '#src/ui/icons.tsx';
import styles from './category-group.module.css';
import type { ProductGroup } from '../filters/web/load-products.ts';
import { ProductGrid } from './product-grid.tsx';

interface CategoryGroupProps {
  readonly group: ProductGroup;
  /** The first on the page. */
  readonly isFirst: boolean;
  /** The part of the group that only resembles the search; the page may show the other part too. */
  readonly isSimilar?: boolean;
}

/** The products of one category, and the way to all of them. */
export function CategoryGroup({ group, isFirst, isSimilar = false }: CategoryGroupProps) {
  const { name, slug, products, total } = group;
  const id = isSimilar ? `similar-${slug}` : slug;
  const headingId = `${id}-title`;
  return (
    <section id={id} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>{name}</h2>
        <p className={styles.count}>
          {products.length < total ? `${products.length} of ${total.toLocaleString('en-US')}` : total}
        </p>
        <Link to={`/catalog/category/${slug}${group.search}`} className={styles.all} aria-describedby={headingId}>
          View all
          <Icon name="chevronRight" size={16} />
        </Link>
      </div>
      <ProductGrid products={products} isFirst={isFirst} />
    </section>
  );
}
