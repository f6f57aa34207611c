import { Link } from 'react-router';
import { formatCount } from './describe-import.ts';
import { countPages } from '#src/shop/list-pages.ts';
import { Row } from '#src/ui/layout/row.ts';

interface ResultPagesProps {
  readonly page: number;
  readonly total: number;
  /** The list that the page number is for. */
  readonly show: 'problems' | 'changes';
  readonly label: string;
  /** Of the list, which every page keeps. */
  readonly filter?: Readonly<Record<string, string>>;
}

/** Links to the previous and next page of one list. Renders nothing for a single page. */
export function ResultPages({ page, total, show, label, filter }: ResultPagesProps) {
  const last = countPages(total);
  if (last === 1) return null;
  const formatUrl = (number: number): string => `?${new URLSearchParams({ ...filter, show, page: String(number) })}`;
  return (
    <Row as="nav" gap={16} aria-label={label}>
      {page > 1 && (
        <Link to={formatUrl(page - 1)} rel="prev" preventScrollReset className="link accent">
          Previous
        </Link>
      )}
      <span>
        Page {formatCount(page)} of {formatCount(last)}
      </span>
      {page < last && (
        <Link to={formatUrl(page + 1)} rel="next" preventScrollReset className="link accent">
          Next
        </Link>
      )}
    </Row>
  );
}
