import { Link } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './breadcrumb.module.css';

interface BreadcrumbProps {
  readonly category: { readonly name: string; readonly path: string };
}

/** Links from a product back to its category and the catalog. */
export function Breadcrumb({ category }: BreadcrumbProps) {
  return (
    <nav aria-label="Breadcrumb" className={classNames('muted small', styles.breadcrumb)}>
      <ol>
        <li>
          <Link to="/catalog" prefetch="intent">
            Catalog
          </Link>
        </li>
        <li>
          <Icon name="chevronRight" size={14} />
          <Link to={category.path}>{category.name}</Link>
        </li>
      </ol>
    </nav>
  );
}
