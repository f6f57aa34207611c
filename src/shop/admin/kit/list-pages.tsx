import { Link, useSearchParams } from 'react-router';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import styles from './list-pages.module.css';
import { countPages } from '#src/shop/list-pages.ts';

interface ListPagesProps {
  readonly page: number;
  readonly total: number;
  /** Labels of the links; default: of a list in order of time. */
  readonly previous?: string;
  readonly next?: string;
}

export const isPageOfList = (page: number, total: number): boolean => page <= countPages(total);

/** Links to the previous and next page. Renders nothing for a single page. */
export function ListPages({ page, total, previous = 'Newer', next = 'Older' }: ListPagesProps) {
  const [parameters] = useSearchParams();
  const last = countPages(total);
  if (last === 1 && page === 1) return null;
  const formatUrl = (number: number): string => {
    const query = new URLSearchParams(parameters);
    query.set('page', String(number));
    return `?${query}`;
  };
  if (page > last) {
    return (
      <EmptyState
        title="This page is empty."
        action={
          <ButtonLink to={formatUrl(1)} variant="secondary">
            Go to the first page
          </ButtonLink>
        }
      />
    );
  }
  return (
    <nav className={styles.pages} aria-label="Pages">
      {page > 1 && (
        <Link to={formatUrl(page - 1)} rel="prev">
          <Icon name="chevronLeft" size={18} />
          {previous}
        </Link>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last && (
        <Link to={formatUrl(page + 1)} rel="next">
          {next}
          <Icon name="chevronRight" size={18} />
        </Link>
      )}
    </nav>
  );
}
