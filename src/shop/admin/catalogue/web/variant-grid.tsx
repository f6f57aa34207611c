import { classNames } from '#src/ui/styles/class-names.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { LineArt } from '#src/ui/graphics/line-art.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { NEW_VARIANT } from '../product-form.ts';
import type { FormVariant, ListedVariant, ProductForm } from '../product-form.ts';
import { extraColumns, isExtraColumn } from '../variant-grid.ts';
import type { CellEdit, GridColumn, VariantColumn } from '../variant-grid.ts';
import styles from './variant-grid.module.css';
import tableStyles from './table.module.css';
import { useVariantGrid } from './use-variant-grid.ts';
import { listColumns, VariantRow } from './variant-row.tsx';
import type { ExtraColumns } from './use-extra-column.ts';
import type { RowProblems } from './variant-row.tsx';

interface VariantGridProps {
  readonly listed: readonly ListedVariant[];
  readonly variants: ProductForm['variants'];
  /** Of the product, as it is typed. */
  readonly weight: string;
  /** Stable, so that typing in one row renders this row only. */
  readonly onChange: (key: string, variant: FormVariant) => void;
  /** Stable. */
  readonly onEdit: (edits: readonly CellEdit<GridColumn>[]) => void;
  readonly extras: ExtraColumns;
  /** Messages such as `variants.0.sku`, by the order of the list. */
  readonly problems: Readonly<Record<string, string>>;
}

const NO_PROBLEMS: RowProblems = {};
/** Of a variant in the API. */
const FIELDS: readonly (readonly [VariantColumn, string])[] = [
  ['price', 'own_price_usd'],
  ['sku', 'sku'],
  ['gtin', 'gtin'],
  ['weight', 'weight_grams'],
];

/** Messages of a row by its column; the same object for rows without any. */
function findRowProblems({ problems, extras }: VariantGridProps, key: string, index: number): RowProblems {
  const found = FIELDS.flatMap(([column, field]): [GridColumn, string][] => {
    const problem = problems[`variants.${index}.${field}`];
    return problem === undefined ? [] : [[column, problem]];
  });
  for (const column of extraColumns) {
    const problem = extras[column]?.findProblem(key);
    if (problem !== undefined) found.push([column, problem]);
  }
  return found.length === 0 ? NO_PROBLEMS : Object.fromEntries(found);
}

/** Variants as a grid, which is edited like a spreadsheet. On phones one row is open at a time. */
export function VariantGrid(props: VariantGridProps) {
  const { listed, variants, weight, onChange, onEdit, extras } = props;
  const columns = listColumns(extras);
  const keys = listed.map(({ key }) => key);
  const read = (key: string, column: GridColumn): string | null =>
    isExtraColumn(column) ? (extras[column]?.read(key) ?? null) : (variants[key] ?? NEW_VARIANT)[column];
  const { grid, openKey, toggle, fill, press, paste, undo, done, forget } = useVariantGrid({
    keys,
    columns,
    read,
    onEdit,
  });
  return (
    <>
      {listed.length > 1 && (
        <p className={classNames('muted small', styles.keys)}>
          <kbd>Enter</kbd> and arrow keys move along a column. <kbd>Ctrl</kbd> + <kbd>D</kbd> fills the cells below.
          Cells of a spreadsheet can be pasted.
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys and pastes of its fields */}
      <table ref={grid} className={classNames(tableStyles.table, styles.grid)} onKeyDown={press} onPaste={paste}>
        <GridHead
          columns={columns}
          first={listed.length > 1 ? (listed[0]?.name ?? '') : null}
          onFill={(column) => fill(column, 0)}
        />
        <tbody>
          {listed.map(({ key, name, computedPrice }, index) => (
            <VariantRow
              key={key}
              variantKey={key}
              index={index}
              name={name || 'The product'}
              computedPrice={computedPrice}
              variant={variants[key] ?? NEW_VARIANT}
              cost={extras.cost?.read(key)}
              stock={extras.stock?.read(key)}
              problems={findRowProblems(props, key, index)}
              productWeight={weight}
              isOpen={openKey === key || listed.length === 1}
              onToggle={toggle}
              onChange={onChange}
              onEdit={onEdit}
            />
          ))}
        </tbody>
      </table>
      <GridStatus done={done} onUndo={undo} onClose={forget} />
    </>
  );
}

interface GridHeadProps {
  readonly columns: ReturnType<typeof listColumns>;
  /** Name of the first row; null if it is the only one. */
  readonly first: string | null;
  readonly onFill: (column: GridColumn) => void;
}

const GridHead = ({ columns, first, onFill }: GridHeadProps) => (
  <thead>
    <tr>
      <th scope="col">Variant</th>
      {columns.map(({ column, title, isUnique }) => (
        <th key={column} scope="col" className={styles[column]}>
          <span className={styles.head}>
            <span>{title}</span>
            {!isUnique && first !== null && (
              <button
                type="button"
                className={styles.fill}
                title={`Fill down from ${first}`}
                aria-label={`Fill down ${title} from ${first}`}
                onClick={() => onFill(column)}
              >
                {/* An arrow down to a line. */}
                <LineArt size={16}>
                  <path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14" />
                </LineArt>
              </button>
            )}
          </span>
        </th>
      ))}
      <th scope="col" className={styles.sell}>
        Sell
      </th>
      <th scope="col" className={styles.pictures}>
        Pictures
      </th>
    </tr>
  </thead>
);

interface GridStatusProps extends Pick<ReturnType<typeof useVariantGrid<GridColumn>>, 'done'> {
  readonly onUndo: () => void;
  readonly onClose: () => void;
}

/** What a fill or a paste did. */
const GridStatus = ({ done, onUndo, onClose }: GridStatusProps) => (
  <Row gap={8} className={styles.done} hidden={done === null}>
    <output className="small">{done?.text}</output>
    {done !== null && done.edits.length > 0 && (
      <Button variant="quaternary" onClick={onUndo}>
        Undo
      </Button>
    )}
    <button type="button" className={styles.fill} aria-label="Close the message" onClick={onClose}>
      <Icon name="close" size={16} />
    </button>
  </Row>
);
