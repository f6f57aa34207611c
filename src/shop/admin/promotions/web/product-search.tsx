import type { KeyboardEvent } from 'react';
import { useEffect, useState } from 'react';
import { formatDollars } from '#src/shop/format-number.ts';
import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import styles from '../../kit/search-results.module.css';

export interface FoundProduct {
  readonly id: string;
  readonly name: string;
  readonly base_price_in_usd: number;
}

interface ProductSearchProps {
  readonly label: string;
  readonly message?: string | undefined;
  /** Label of the button of a found product, before its name. */
  readonly action: string;
  readonly onChoose: (product: FoundProduct) => void;
}

const TYPING_PAUSE_MS = 250;
const MAX_RESULTS = '6';
const MAX_QUERY = 200;

function preventSubmit(event: KeyboardEvent): void {
  // Enter would submit the form around the search.
  if (event.key === 'Enter') event.preventDefault();
}

/** Finds products on sale by name. Choosing one empties the field. */
export function ProductSearch({ label, message, action, onChoose }: ProductSearchProps) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ readonly query: string; readonly products: readonly FoundProduct[] } | null>(
    null,
  );
  const [hasFailed, setHasFailed] = useState(false);
  const wanted = query.trim();

  useEffect(() => {
    if (wanted === '') return undefined;
    const abort = new AbortController();
    const search = async () => {
      try {
        const products = await call(
          'GET /products',
          { query: { q: wanted, limit: MAX_RESULTS } },
          { signal: abort.signal },
        );
        setFound({ query: wanted, products });
        setHasFailed(false);
      } catch (error) {
        if (abort.signal.aborted) return;
        logError('Searching products failed', error);
        setHasFailed(true);
      }
    };
    const timer = setTimeout(() => void search(), TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);

  const shown = found?.query === wanted ? found.products : null;
  const choose = (product: FoundProduct) => {
    setQuery('');
    onChoose(product);
  };
  return (
    <Stack gap={8}>
      <Field
        label={label}
        type="search"
        value={query}
        message={message}
        maxLength={MAX_QUERY}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search products"
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={preventSubmit}
      />
      <output className="muted small hide-empty">{describeSearch(wanted, shown?.length ?? null, hasFailed)}</output>
      {wanted !== '' && shown !== null && shown.length > 0 && (
        <ul className={styles.results}>
          {shown.map((product) => (
            <li key={product.id}>
              <button type="button" className={styles.result} onClick={() => choose(product)}>
                <span>
                  <span className="visually-hidden">{action} </span>
                  {product.name}
                </span>
                <span translate="no" className="muted tabular">
                  {formatDollars(product.base_price_in_usd)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

function describeSearch(wanted: string, count: number | null, hasFailed: boolean): string {
  if (wanted === '') return '';
  if (hasFailed && count === null) return 'The products could not be searched. Check your connection and type again.';
  if (count === null) return 'Searching…';
  return count === 0 ? 'No product on sale matches.' : '';
}
