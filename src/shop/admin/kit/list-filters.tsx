import type { ChangeEvent, FocusEvent, ReactElement, ReactNode } from 'react';
import { Children, isValidElement, useEffect, useId, useRef } from 'react';
import { Form } from 'react-router';
import { Button } from '#src/ui/controls/button.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { FilterChips } from './filter-chips.tsx';
import type { FilterChip } from './filter-chips.tsx';
import styles from './list-filters.module.css';

interface ListFiltersProps {
  /** The present values. The fields follow those that change. */
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** A `SearchFilter`, then any `ChoiceFilter`. */
  readonly children: ReactNode;
  /** Chosen filters that are no `ChoiceFilter` among the children. */
  readonly chips?: readonly FilterChip[];
  /** Width of the first field: two columns, a line of its own (for three choices or more), or one column. */
  readonly firstWidth?: 'wide' | 'line' | 'equal';
  /** Text of the button. */
  readonly submit?: string;
}

type TextField = HTMLInputElement | HTMLSelectElement;
const isField = (target: unknown): target is TextField =>
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'hidden', 'submit'].includes(target.type)) ||
  target instanceof HTMLSelectElement;

const isSearch = (child: ReactNode): boolean => isValidElement(child) && child.type === SearchFilter;
const isChoice = (child: ReactNode): child is ReactElement<ChoiceFilterProps> =>
  isValidElement(child) && child.type === ChoiceFilter;

/** Chips of the choices that are not "All". */
const listChips = (children: readonly ReactNode[]): FilterChip[] =>
  children.filter(isChoice).flatMap(({ props: { hasAll = false, label, name, options, value } }) => {
    const text = options.find(([one]) => one === value)?.[1];
    return hasAll && value !== '' && text !== undefined ? [{ names: [name], text: `${label}: ${text}` }] : [];
  });

const NO_CHIPS: readonly FilterChip[] = [];

/**
 * Search form of a list page. Choices apply at once, what is typed after Enter, the button or the next field. It works
 * without JavaScript: the values become the page's query. On phones the fields after the search are behind a button.
 */
export function ListFilters({
  filter,
  children,
  chips = NO_CHIPS,
  firstWidth = 'wide',
  submit = 'Search',
}: ListFiltersProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const all = Children.toArray(children);
  const [first, ...rest] = all;
  const hasSheet = isSearch(first) && rest.some((child) => isValidElement(child) && child.type !== 'input');
  const shown = [...listChips(all), ...chips];
  const present = new URLSearchParams(Object.entries(filter).map(([name, value = '']) => [name, value])).toString();
  const last = useRef(present);
  // The fields stay, so that the one that was changed keeps the focus, and what was typed meanwhile stays too.
  useEffect(() => {
    const [before, now] = [new URLSearchParams(last.current), new URLSearchParams(present)];
    last.current = present;
    for (const field of form.current?.elements ?? [])
      if (isField(field) && before.get(field.name) !== now.get(field.name)) field.value = now.get(field.name) ?? '';
  }, [present]);
  const apply = (): void => {
    // In the sheet several are chosen before they apply.
    if (sheet.current?.matches(':popover-open') !== true) form.current?.requestSubmit();
  };
  const applyChoice = ({ target }: ChangeEvent<HTMLFormElement>): void => {
    if (target instanceof HTMLSelectElement) apply();
  };
  const applyTyped = ({ target }: FocusEvent<HTMLFormElement>): void => {
    if (target instanceof HTMLInputElement && isField(target) && target.value !== (filter[target.name] ?? '')) apply();
  };
  return (
    <search className={styles.search}>
      <Form
        method="get"
        ref={form}
        className={styles.filters}
        data-first-width={firstWidth}
        data-has-sheet={hasSheet || undefined}
        onChange={applyChoice}
        onBlur={applyTyped}
      >
        {hasSheet ? (
          <>
            {first}
            <Button variant="secondary" popoverTarget={id} className={styles.open}>
              {shown.length === 0 ? 'Filters' : `Filters (${shown.length})`}
            </Button>
            <div id={id} ref={sheet} popover="auto" className={styles.sheet}>
              {rest}
              <Button type="submit" variant="secondary">
                {submit}
              </Button>
            </div>
          </>
        ) : (
          <>
            {children}
            <Button type="submit" variant="secondary">
              {submit}
            </Button>
          </>
        )}
      </Form>
      <FilterChips chips={shown} />
    </search>
  );
}

interface SearchFilterProps {
  /** What can be searched for. */
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly autoCapitalize?: 'none' | 'characters';
}

/** Search field of a list, in the query as `q`. */
export function SearchFilter({ label, value, maxLength, autoCapitalize = 'none' }: SearchFilterProps) {
  return (
    <Field
      label={label}
      name="q"
      type="search"
      defaultValue={value}
      maxLength={maxLength}
      autoComplete="off"
      autoCapitalize={autoCapitalize}
      spellCheck={false}
    />
  );
}

interface ChoiceFilterProps {
  readonly label: string;
  /** In the query. */
  readonly name: string;
  /** Empty: all. */
  readonly value: string;
  /** Values with their texts. */
  readonly options: readonly (readonly [value: string, text: string])[];
  /** Whether to begin with an empty value, "All". */
  readonly hasAll?: boolean;
}

/** A select of a list's filters or of its order. */
export function ChoiceFilter({ label, name, value, options, hasAll = false }: ChoiceFilterProps) {
  return (
    <Select label={label} name={name} defaultValue={value}>
      {hasAll && <option value="">All</option>}
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </Select>
  );
}
