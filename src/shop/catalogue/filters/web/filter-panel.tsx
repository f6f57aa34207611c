import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import type { CatalogueQuery } from '../catalogue-query.ts';
import { isChecked, toggleOption } from '../filter-panel.ts';
import type { PanelOption } from '../filter-panel.ts';
import { updateRange, clampRange } from '../price-range.ts';
import styles from './filter-panel.module.css';
import type { FilteredView } from './load-products.ts';
import { PriceFilter } from './price-filter.tsx';

/** How many boxes of a group are seen at once; the others are behind 'Show all'. */
const COLLAPSED_COUNT = 8;

interface FilterPanelProps {
  readonly view: FilteredView;
  /** What is asked for at this moment, also while its answer is under way. */
  readonly draft: CatalogueQuery;
  readonly onChange: (query: CatalogueQuery) => void;
  readonly hasSlider: boolean;
}

/** The fields of the filter. Their names are those of the address, so that the form works without a script. */
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
          wanted={draft.categories}
          onChange={(next) => onChange({ ...draft, categories: next })}
        />
      )}
      {brands.length > 0 && (
        <OptionBoxes
          title="Brands"
          name="brand"
          options={brands}
          wanted={draft.brands}
          onChange={(next) => onChange({ ...draft, brands: next })}
        />
      )}
      {properties.map(({ name, options }) => (
        <OptionBoxes
          key={name}
          title={name}
          name="values"
          options={options}
          wanted={draft.values}
          onChange={(next) => onChange({ ...draft, values: next })}
        />
      ))}
    </div>
  );
}

/** What the panel has no field for and a form without a script would lose. */
function HiddenFields({ view }: { readonly view: FilteredView }) {
  const { query, textName } = view;
  const offered = new Set(view.properties.flatMap(({ options }) => options.flatMap(({ ids }) => ids)));
  const values = query.values.filter((id) => !offered.has(id));
  const kept = [
    ...(query.text === '' ? [] : [[textName, query.text] as const]),
    ...(view.categories.length > 0 ? [] : query.categories.map((one) => ['category', one] as const)),
    ...(view.brands.length > 0 ? [] : query.brands.map((one) => ['brand', one] as const)),
    ...(values.length === 0 ? [] : [['values', values.join()] as const]),
  ];
  return kept.map(([name, value]) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />);
}

interface OptionBoxesProps {
  readonly title: string;
  readonly name: string;
  readonly options: readonly PanelOption[];
  readonly wanted: readonly string[];
  readonly onChange: (wanted: readonly string[]) => void;
}

// What is to happen on a change is no part of the JSON.
const OptionBoxes = cacheFragment(Boxes);

function Boxes({ title, name, options, wanted, onChange }: OptionBoxesProps) {
  const box = (option: PanelOption) => (
    <Checkbox
      key={option.label}
      name={name}
      value={option.ids.join()}
      checked={isChecked(wanted, option)}
      onChange={(event) => onChange(toggleOption(wanted, option, event.target.checked))}
      autoComplete="off"
    >
      <span className={styles.label}>{option.label}</span>
      <span className={styles.count}>
        {option.count.toLocaleString('en-US')}
        <span className="visually-hidden">{option.count === 1 ? ' product' : ' products'}</span>
      </span>
    </Checkbox>
  );
  // What is ticked stands among the first, so that it is seen.
  const folded = options.length > COLLAPSED_COUNT + 2 ? options.slice(COLLAPSED_COUNT) : [];
  const hasTickedFold = folded.some((option) => isChecked(wanted, option));
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{title}</legend>
      {options.slice(0, options.length - folded.length).map(box)}
      {folded.length > 0 && (
        <details className={styles.fold} open={hasTickedFold || undefined}>
          <summary>{`${folded.length} more`}</summary>
          {folded.map(box)}
        </details>
      )}
    </fieldset>
  );
}
