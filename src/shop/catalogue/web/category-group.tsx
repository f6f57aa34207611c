import { Link } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './category-group.module.css';
import type { ProductGroup } from '../filters/web/load-products.ts';
import { ProductGrid } from '../filters/web/product-grid.tsx';

interface CategoryGroupProps {
  readonly group: ProductGroup;
  /** Whether it is the first group on the page. */
  readonly isFirst: boolean;
  /** Whether it holds only similar products; exact matches may be in another group. */
  readonly isSimilar?: boolean;
}

/** Products of a category, with a link to all of them. */
export function CategoryGroup({ group, isFirst, isSimilar = false }: CategoryGroupProps) {
  const { name, slug, products, total } = group;
  const id = isSimilar ? `similar-${slug}` : slug;
  const headingId = `${id}-title`;
  return (
    <section id={id} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>{name}</h2>
        <p className={styles.count}>
          {products.length < total ? `${products.length} of ${formatNumber(total)}` : total}
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
