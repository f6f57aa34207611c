import { Link, useLocation } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { PAGE_SIZE, formatCatalogueQuery } from '../catalogue-query.ts';
import { listPageNumbers } from '../page-numbers.ts';
import type { FilteredView } from './load-products.ts';
import styles from './page-links.module.css';

/** Links to the pages of a list; each is a URL and starts at the top. */
export function PageLinks({ view }: { readonly view: FilteredView }) {
  const { query, total, textName } = view;
  const { pathname } = useLocation();
  const last = Math.ceil(total / PAGE_SIZE);
  const current = query.offset / PAGE_SIZE + 1;
  if (last < 2) return null;
  const to = (page: number): string => {
    const search = formatCatalogueQuery({ ...query, offset: (page - 1) * PAGE_SIZE }, textName);
    return `${pathname}${search}#products`;
  };
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {current > 1 && (
        <Link to={to(current - 1)} rel="prev" className={styles.step}>
          <Icon name="chevronLeft" size={16} />
          Previous
        </Link>
      )}
      <ul>
        {listPageNumbers(current, last).map((page) => (
          <li key={page}>
            <Link
              to={to(page)}
              aria-label={`Page ${page}`}
              aria-current={page === current ? 'page' : undefined}
              className={styles.page}
            >
              {page}
            </Link>
          </li>
        ))}
      </ul>
      {current < last && (
        <Link to={to(current + 1)} rel="next" prefetch="intent" className={styles.step}>
          Next
          <Icon name="chevronRight" size={16} />
        </Link>
      )}
    </nav>
  );
}
