import type { ReactNode } from 'react';
import { useId, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { formatCatalogueQuery, clearFilters } from '../catalogue-query.ts';
import type { CatalogueQuery } from '../catalogue-query.ts';
import type { ProductSort } from '../sort-products.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { FilterPanel } from './filter-panel.tsx';
import styles from './filtered-products.module.css';
import type { FilteredView } from './load-products.ts';
import { Suggestions } from './suggested-products.tsx';
import type { SuggestedProducts } from './suggested-products.tsx';
import { useFilterPanel, useFilters } from './use-filters.ts';

const SORTS: readonly (readonly [ProductSort, string])[] = [
  ['best_sold', 'Best selling'],
  ['newest', 'Newest'],
  ['price_asc', 'Price: low to high'],
  ['price_desc', 'Price: high to low'],
];

interface FilteredProductsProps {
  readonly view: FilteredView;
  /** Shown when nothing matches. */
  readonly emptyMessage: string;
  /** Shown when a search found nothing. */
  readonly suggestions?: SuggestedProducts | null;
  readonly children: ReactNode;
}

const formatCount = (total: number): string => `${formatNumber(total)} ${total === 1 ? 'product' : 'products'}`;

/** A product list with filter panel, sort order and active filters. All state is in the URL. */
export function FilteredProducts({ view, emptyMessage, suggestions = null, children }: FilteredProductsProps) {
  const { total, query, textName, active } = view;
  const formId = useId();
  const panelId = `${formId}panel`;
  const { pathname } = useLocation();
  const { draft, change, isLoading } = useFilters(view);
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useFilterPanel(dialog, opener);
  const bare = `${pathname}${formatCatalogueQuery(clearFilters(query), textName)}`;
  // Opens the panel natively before hydration.
  const byItself = { command: 'show-modal', commandfor: panelId };
  return (
    <div className={styles.frame}>
      <div className={styles.bar}>
        <Button
          {...byItself}
          ref={opener}
          variant="secondary"
          aria-expanded={panel.isOpen}
          aria-controls={panelId}
          className={styles.opener}
          onClick={(event) => {
            event.preventDefault();
            panel.toggle();
          }}
        >
          <Icon name="sliders" size={18} />
          <span>{panel.isOpen ? 'Hide Filters' : 'Show Filters'}</span>
        </Button>
        <output className={styles.count}>{formatCount(total)}</output>
        <SortField formId={formId} draft={draft} onChange={change} />
      </div>
      {active.length > 0 && (
        <ActiveFilters active={active} clear={bare} onRemoved={() => opener.current?.focus({ preventScroll: true })} />
      )}
      <FilterDialog
        ref={dialog}
        id={panelId}
        formId={formId}
        submit={`Show ${formatCount(total)}`}
        onClose={panel.close}
        onClosed={panel.handleClosed}
      >
        <FilterPanel view={view} draft={draft} onChange={change} hasSlider={panel.wasOpened} />
      </FilterDialog>
      <div id="products" className={styles.results} aria-busy={isLoading} data-loading={isLoading || undefined}>
        {total > 0 ? children : <EmptyResult title={emptyMessage} clear={active.length > 0 ? bare : null} />}
        {suggestions && <Suggestions {...suggestions} />}
      </div>
    </div>
  );
}

interface SortFieldProps {
  readonly formId: string;
  readonly draft: CatalogueQuery;
  readonly onChange: (query: CatalogueQuery) => void;
}

function SortField({ formId, draft, onChange }: SortFieldProps) {
  return (
    <div className={styles.sort}>
      <label htmlFor={`${formId}sort`}>Sort by</label>
      <select
        id={`${formId}sort`}
        name="sort"
        form={formId}
        value={draft.sort ?? ''}
        autoComplete="off"
        onChange={(event) => {
          const sort = SORTS.find(([value]) => value === event.target.value);
          onChange({ ...draft, sort: sort?.[0] ?? null });
        }}
      >
        <option value="">Featured</option>
        {SORTS.map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" form={formId} className={styles.plain}>
        Sort
      </button>
    </div>
  );
}

interface ActiveFiltersProps {
  readonly active: FilteredView['active'];
  readonly clear: string;
  /** Moves the focus when the followed link is removed. */
  readonly onRemoved: () => void;
}

function ActiveFilters({ active, clear, onRemoved }: ActiveFiltersProps) {
  const { pathname } = useLocation();
  return (
    <ul aria-label="Active filters" className={styles.active}>
      {active.map(({ label, search }) => (
        <li key={label}>
          <Link
            to={`${pathname}${search}`}
            aria-label={`Remove filter ${label}`}
            className={styles.chip}
            onClick={onRemoved}
          >
            {label}
            <Icon name="close" size={14} />
          </Link>
        </li>
      ))}
      <li>
        <Link to={clear} className={styles.clear} onClick={onRemoved}>
          Clear all
        </Link>
      </li>
    </ul>
  );
}

function EmptyResult({ title, clear }: { readonly title: string; readonly clear: string | null }) {
  return (
    <EmptyState
      title={title}
      action={
        <ButtonLink to={clear ?? '/catalog'} variant="secondary">
          {clear === null ? 'Go to the catalog' : 'Clear all filters'}
        </ButtonLink>
      }
    />
  );
}
