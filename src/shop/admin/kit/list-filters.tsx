import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { Button } from '#src/ui/button.tsx';
import { Field, Select } from '#src/ui/field.tsx';
import styles from './list-filters.module.css';

interface ListFiltersProps {
  /** The present values. Other ones reset what was typed and not sent. */
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** A `SearchFilter`, then any `ChoiceFilter`. */
  readonly children: ReactNode;
  /** Width of the first field: two columns, a line of its own (for three choices or more), or one column. */
  readonly firstWidth?: 'wide' | 'line' | 'equal';
  /** Text of the button. */
  readonly submit?: string;
}

/** Search form of a list page. It works without JavaScript: the values become the page's query. */
export function ListFilters({ filter, children, firstWidth = 'wide', submit = 'Search' }: ListFiltersProps) {
  return (
    <search>
      <Form method="get" className={styles.filters} data-first-width={firstWidth} key={JSON.stringify(filter)}>
        {children}
        <Button type="submit" variant="secondary">
          {submit}
        </Button>
      </Form>
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
