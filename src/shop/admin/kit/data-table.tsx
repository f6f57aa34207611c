import type { ReactNode } from 'react';
import { Form, Link, useNavigation, useSearchParams } from 'react-router';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './data-table.module.css';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Figures are aligned at their end. */
  readonly isFigure?: boolean;
  /** It names the row, and can't be hidden. */
  readonly isName?: boolean;
  /** On phones: a line of its own below the name (default), beside the name, or nothing. */
  readonly phone?: 'line' | 'beside' | 'hidden';
  /** Cards show the title before the value, which does not say what it is. */
  readonly isLabelled?: boolean;
  /** Values of `sort` in the page's query: after the first press of the title, and after the next one. */
  readonly sorts?: readonly [Sort, Sort] | readonly [Sort];
  readonly render: (row: Row) => ReactNode;
}

interface Sort {
  readonly value: string;
  readonly isAscending: boolean;
}

export interface RowSelection<Row> {
  /** Name of the box of a row; null: the row can't be selected. */
  readonly nameOf: (row: Row) => string | null;
  /** What can be done with the selected rows. Submit buttons send the ids as `id` to the action. */
  readonly renderActions: (ids: readonly string[], clear: () => void) => ReactNode;
  /** Path of the page that submit buttons open. Without: the actions have no submit button. */
  readonly action?: string;
}

interface DataTableProps<Row> {
  /** What it lists, for screen readers. */
  readonly label: string;
  /** Those that are shown; the first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The present value of `sort`. */
  readonly sort?: string;
  readonly selection?: RowSelection<Row>;
}

/** A list of the back office: a table whose head stays in view on wide screens, cards on phones. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { idOf, rows, selection } = props;
  const isSelectable = selection !== undefined && rows.some((row) => selection.nameOf(row) !== null);
  // Another page or filter starts with nothing selected.
  const key = rows.map((row) => idOf(row)).join();
  return isSelectable ? <Selectable key={key} {...props} selection={selection} /> : <Rows {...props} />;
}

function Selectable<Row>(props: DataTableProps<Row> & { readonly selection: RowSelection<Row> }) {
  const { selection, rows, idOf } = props;
  const boxes = rows.flatMap((row) => (selection.nameOf(row) === null ? [] : [idOf(row)]));
  const { ids, clear, selectAll, listeners } = useSelection(boxes);
  const { renderActions, action } = selection;
  const content = (
    <>
      <Rows {...props} head={<SelectAll isAll={ids.length === boxes.length} onChange={selectAll} />} />
      <SelectionBar count={ids.length} onClear={clear}>
        {renderActions(ids, clear)}
      </SelectionBar>
    </>
  );
  return action === undefined ? (
    <div className={styles.selectable} {...listeners}>
      {content}
    </div>
  ) : (
    <Form method="get" action={action} className={styles.selectable} {...listeners}>
      {content}
    </Form>
  );
}

interface SelectAllProps {
  readonly isAll: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

const SelectAll = ({ isAll, onChange }: SelectAllProps) => (
  <label className={styles.box}>
    <input
      type="checkbox"
      aria-label="Select all on this page"
      checked={isAll}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  </label>
);

function Rows<Row>({
  label,
  columns,
  rows,
  idOf,
  sort = '',
  selection,
  head,
}: DataTableProps<Row> & { readonly head?: ReactNode }) {
  const isLoading = useNavigation().state === 'loading';
  return (
    <div className={styles.frame}>
      <table
        className={styles.table}
        aria-label={label}
        aria-busy={isLoading || undefined}
        data-selectable={head && true}
      >
        <thead>
          <tr>
            {head !== undefined && <td>{head}</td>}
            {columns.map((column) => (
              <ColumnTitle key={column.id} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {head !== undefined && (
                <td>
                  <Box id={idOf(row)} name={selection?.nameOf(row) ?? null} />
                </td>
              )}
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Box of a row, which sends its id. */
const Box = ({ id, name }: { readonly id: string; readonly name: string | null }) =>
  name !== null && (
    <label className={styles.box}>
      <input type="checkbox" name="id" value={id} aria-label={name} />
    </label>
  );

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { isFigure = false, isLabelled = false, isName = false, phone = 'line', render, title } = column;
  const Tag = isName ? 'th' : 'td';
  return (
    <Tag
      scope={isName ? 'row' : undefined}
      className={classNames(isFigure && styles.figure)}
      data-phone={isName ? 'name' : phone}
      data-title={isLabelled ? title : undefined}
    >
      {render(row)}
    </Tag>
  );
}

/** The title of a column, which sorts by it where the list can be. */
function ColumnTitle<Row>({ column, sort }: { readonly column: Column<Row>; readonly sort: string }) {
  const { title, sorts, isFigure = false } = column;
  const [parameters] = useSearchParams();
  const at = sorts?.findIndex(({ value }) => value === sort) ?? -1;
  const present = sorts?.[at];
  const next = sorts?.[(at + 1) % sorts.length];
  const query = new URLSearchParams(parameters);
  query.delete('page');
  if (next) query.set('sort', next.value);
  const direction = present?.isAscending ? 'ascending' : 'descending';
  return (
    <th scope="col" className={classNames(isFigure && styles.figure)} aria-sort={present && direction}>
      {next === undefined ? (
        title
      ) : (
        <Link to={`?${query}`} className={styles.sort}>
          {title}
          {present !== undefined && <Icon name="chevronDown" size={16} />}
        </Link>
      )}
    </th>
  );
}
