import { formatNumber } from '#src/shop/format-number.ts';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { clearFilters, listParameters } from '../catalogue-query.ts';
import type { CatalogueQuery } from '../catalogue-query.ts';
import { isChecked, toggleOption } from '../filter-panel.ts';
import type { PanelOption } from '../filter-panel.ts';
import { updateRange, clampRange } from '../price-range.ts';
import styles from './filter-panel.module.css';
import type { FilteredView } from './load-products.ts';
import { PriceFilter } from './price-filter.tsx';

/** Options visible per group before 'Show all'. */
const COLLAPSED_COUNT = 8;

interface FilterPanelProps {
  readonly view: FilteredView;
  /** Requested query, ahead of the list while it is loading. */
  readonly draft: CatalogueQuery;
  readonly onChange: (query: CatalogueQuery) => void;
  readonly hasSlider: boolean;
}

/** Filter fields, named like the URL parameters, so that the form works without JavaScript. */
export function FilterPanel({ view, draft, onChange, hasSlider }: FilterPanelProps) {
  const { bounds, categories, brands, properties } = view;
  return (
    <div className={styles.panel}>
      <HiddenFields view={view} />
      <PriceFilter
        range={clampRange(draft, bounds)}
        bounds={bounds}
        onChange={(range) => onChange({ ...draft, ...updateRange(draft, range, bounds) })}
        hasSlider={hasSlider}
      />
      {categories.length > 0 && (
        <OptionBoxes
          title="Categories"
          name="category"
          options={categories}
          selected={draft.categories}
          onChange={(next) => onChange({ ...draft, categories: next })}
        />
      )}
      {brands.length > 0 && (
        <OptionBoxes
          title="Brands"
          name="brand"
          options={brands}
          selected={draft.brands}
          onChange={(next) => onChange({ ...draft, brands: next })}
        />
      )}
      {properties.map(({ name, options }) => (
        <OptionBoxes
          key={name}
          title={name}
          name="values"
          options={options}
          selected={draft.values}
          onChange={(next) => onChange({ ...draft, values: next })}
        />
      ))}
    </div>
  );
}

/** Parameters without a field, which a form submission would drop. */
function HiddenFields({ view }: { readonly view: FilteredView }) {
  const { query, textName } = view;
  const offered = new Set(view.properties.flatMap(({ options }) => options.flatMap(({ ids }) => ids)));
  const hidden = {
    ...clearFilters(query),
    categories: view.categories.length > 0 ? [] : query.categories,
    brands: view.brands.length > 0 ? [] : query.brands,
    values: query.values.filter((id) => !offered.has(id)),
    sort: null,
  };
  return listParameters(hidden, textName).map(([name, value]) => (
    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
  ));
}

interface OptionBoxesProps {
  readonly title: string;
  readonly name: string;
  readonly options: readonly PanelOption[];
  readonly selected: readonly string[];
  readonly onChange: (selected: readonly string[]) => void;
}

// Functions are excluded from the cache key, which is JSON.
const OptionBoxes = cacheFragment(Boxes);

function Boxes({ title, name, options, selected, onChange }: OptionBoxesProps) {
  const renderBox = (option: PanelOption) => (
    <Checkbox
      key={option.label}
      name={name}
      value={option.ids.join()}
      checked={isChecked(selected, option)}
      onChange={(event) => onChange(toggleOption(selected, option, event.target.checked))}
      autoComplete="off"
    >
      <span className="wrap-anywhere">{option.label}</span>
      <span className="muted small tabular">
        {formatNumber(option.count)}
        <span className="visually-hidden">{option.count === 1 ? ' product' : ' products'}</span>
      </span>
    </Checkbox>
  );
  // Checked options come first, so that they are visible.
  const folded = options.length > COLLAPSED_COUNT + 2 ? options.slice(COLLAPSED_COUNT) : [];
  const hasCheckedOption = folded.some((option) => isChecked(selected, option));
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{title}</legend>
      {options.slice(0, options.length - folded.length).map(renderBox)}
      {folded.length > 0 && (
        <details className={styles.fold} open={hasCheckedOption || undefined}>
          <summary>{`${folded.length} more`}</summary>
          {folded.map(renderBox)}
        </details>
      )}
    </fieldset>
  );
}
