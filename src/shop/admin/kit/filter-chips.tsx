import { Link, useSearchParams } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Row } from '#src/ui/layout/row.ts';
import styles from './filter-chips.module.css';

export interface FilterChip {
  /** Parameters of the page's query that it removes. */
  readonly names: readonly string[];
  /** What is chosen. */
  readonly text: string;
}

/** The chosen filters of a list, each with a link that removes it. Renders nothing for none. */
export function FilterChips({ chips }: { readonly chips: readonly FilterChip[] }) {
  const [parameters] = useSearchParams();
  if (chips.length === 0) return null;
  const formatUrl = (names: readonly string[]): string => {
    const query = new URLSearchParams(parameters);
    for (const name of ['page', ...names]) query.delete(name);
    return `?${query}`;
  };
  return (
    <Row as="ul" gap={8} aria-label="Chosen filters">
      {chips.map(({ names, text }) => (
        <li key={names.join()}>
          <Link to={formatUrl(names)} className={styles.chip} aria-label={`Remove the filter ${text}`}>
            {text}
            <Icon name="close" size={16} />
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link to={formatUrl(chips.flatMap(({ names }) => names))} className="link">
            Remove all filters
          </Link>
        </li>
      )}
    </Row>
  );
}
