import type { KeyboardEvent, ReactNode } from 'react';
import { useState } from 'react';
import { Stack } from '#src/ui/layout/stack.ts';
import { Field } from '#src/ui/fields/field.tsx';
import styles from '../../kit/search-results.module.css';
import { useFound } from '../../kit/use-found.ts';

const MAX_QUERY = 200;

function preventSubmit(event: KeyboardEvent): void {
  // Enter would submit the form around the search.
  if (event.key === 'Enter') event.preventDefault();
}

interface SearchBoxProps<Item> {
  readonly label: string;
  readonly hint: string;
  /** Shown if nothing was found. */
  readonly none: string;
  /** Shown below the results if there are more. */
  readonly more: string;
  readonly load: (
    text: string,
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }>;
  readonly toKey: (item: Item) => string;
  /** Why the item can't be chosen; null if it can. */
  readonly findObstacle: (item: Item) => string | null;
  readonly renderItem: (item: Item) => ReactNode;
  readonly onChoose: (item: Item) => void;
}

/** A search field with results to choose from. */
export function SearchBox<Item>(props: SearchBoxProps<Item>) {
  const { label, hint, none, more, load, toKey, findObstacle, renderItem, onChoose } = props;
  const [query, setQuery] = useState('');
  const wanted = query.trim();
  const { result, hasFailed } = useFound(wanted, load);
  const describe = (): string => {
    if (wanted === '') return '';
    if (hasFailed) return 'The search failed. Check your connection and type again.';
    if (result === null) return 'Searching…';
    if (result.items.length === 0) return none;
    return result.hasMore ? more : '';
  };
  return (
    <Stack gap={8}>
      <Field
        label={label}
        hint={hint}
        type="search"
        value={query}
        maxLength={MAX_QUERY}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={preventSubmit}
      />
      {result !== null && result.items.length > 0 && (
        <ul className={styles.results}>
          {result.items.map((item) => {
            const obstacle = findObstacle(item);
            return (
              <li key={toKey(item)}>
                <button
                  type="button"
                  className={styles.result}
                  disabled={obstacle !== null}
                  onClick={() => onChoose(item)}
                >
                  {renderItem(item)}
                  {obstacle !== null && <span className="muted small wrap-anywhere">{obstacle}</span>}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <output className="muted small hide-empty">{describe()}</output>
    </Stack>
  );
}
