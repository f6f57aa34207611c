import type { ReactNode } from 'react';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { formatNumber } from '#src/shop/format-number.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { isPageOfList, ListPages } from './list-pages.tsx';

interface PagedListProps<Found> {
  /** Null: it could not be loaded. */
  readonly found: Found | null;
  readonly page: number;
  /** Says that it could not be loaded. */
  readonly failure: string;
  /** Shown instead of an empty list: an `EmptyState` or `NoMatch`. */
  readonly empty: ReactNode;
  /** Labels of the links to other pages; default: of a list in order of time. */
  readonly previous?: string;
  readonly next?: string;
  /** Renders the items of the page. */
  readonly children: (found: Found) => ReactNode;
}

/** One page of a list in each of its states, with links to the other pages. */
export function PagedList<Found extends { readonly total: number; readonly has_more?: boolean }>(
  props: PagedListProps<Found>,
) {
  const { found, page, failure, empty, children, previous, next } = props;
  if (found === null) return <ErrorState title={failure} onRetry={() => void reloadPage()} />;
  return (
    <>
      {found.total === 0 && empty}
      {found.total > 0 && isPageOfList(page, found.total) && children(found)}
      {found.has_more === true && (
        <p className="muted small">
          Only the first {formatNumber(found.total)} are listed. Search or filter to find others.
        </p>
      )}
      <ListPages page={page} total={found.total} {...(previous && { previous })} {...(next && { next })} />
    </>
  );
}

interface NoMatchProps {
  readonly title: string;
  /** Text and path of the list without filters. */
  readonly showAll: string;
  readonly to: string;
}

/** Empty state of a list whose filters match nothing. */
export const NoMatch = ({ title, showAll, to }: NoMatchProps) => (
  <EmptyState
    title={title}
    action={
      <ButtonLink to={to} variant="secondary">
        {showAll}
      </ButtonLink>
    }
  />
);
