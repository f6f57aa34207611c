import { memo, useState } from 'react';
import { formatDollars } from '#src/shop/format-number.ts';
import { MAX_SKU } from '#src/shop/catalogue/editing/product-limits.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { parseDollars } from '../parse-dollars.ts';
import type { FormVariant } from '../product-form.ts';
import { isExtraColumn } from '../variant-grid.ts';
import type { CellEdit, ExtraColumn, GridColumn } from '../variant-grid.ts';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import { Cell, PicturesCell, toPlaceAttributes } from './cell.tsx';
import tableStyles from './table.module.css';
import styles from './variant-grid.module.css';

interface ShownColumn {
  readonly column: GridColumn;
  readonly title: string;
  /** Begins the accessible name of its fields: 'SKU of Blue'. */
  readonly label: string;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly maxLength: number;
  /** Whether variants differ in it, so that it is never filled down. */
  readonly isUnique: boolean;
}

const VARIANT_COLUMNS: readonly ShownColumn[] = [
  {
    column: 'price',
    title: 'Price in USD',
    label: 'Own price',
    inputMode: 'decimal',
    maxLength: 14,
    isUnique: false,
  },
  { column: 'sku', title: 'SKU', label: 'SKU', maxLength: MAX_SKU, isUnique: true },
  { column: 'gtin', title: 'GTIN', label: 'GTIN', inputMode: 'numeric', maxLength: 14, isUnique: true },
  {
    column: 'weight',
    title: 'Grams',
    label: 'Weight in grams',
    inputMode: 'numeric',
    maxLength: 9,
    isUnique: false,
  },
];

const COST_COLUMN: ShownColumn = {
  column: 'cost',
  title: 'Cost in USD',
  label: 'Cost',
  inputMode: 'decimal',
  maxLength: 14,
  isUnique: false,
};

const STOCK_COLUMN: ShownColumn = {
  column: 'stock',
  title: 'On hand',
  label: 'Units on hand',
  inputMode: 'numeric',
  maxLength: 7,
  isUnique: false,
};

/** What is typed in the other columns. Null: the variant is not saved yet. Undefined: the column is not shown. */
type ExtraTexts = Readonly<Partial<Record<ExtraColumn, string | null | undefined>>>;

/** Columns with a text field. */
export const listColumns = (extras: Readonly<Partial<Record<ExtraColumn, unknown>>>): readonly ShownColumn[] => [
  ...VARIANT_COLUMNS,
  ...[COST_COLUMN, STOCK_COLUMN].filter(({ column }) => isExtraColumn(column) && extras[column] !== undefined),
];

/** Messages by column. */
export type RowProblems = Readonly<Partial<Record<GridColumn, string>>>;

interface VariantRowProps {
  readonly variantKey: string;
  readonly index: number;
  readonly name: string;
  readonly computedPrice: number | null;
  readonly variant: FormVariant;
  readonly cost: ExtraTexts['cost'];
  readonly stock: ExtraTexts['stock'];
  readonly problems: RowProblems;
  readonly productWeight: string;
  /** Where rows are folded. */
  readonly isOpen: boolean;
  readonly onToggle: (key: string) => void;
  readonly onChange: (key: string, variant: FormVariant) => void;
  readonly onEdit: (edits: readonly CellEdit<GridColumn>[]) => void;
}

/** What an empty field stands for. */
function findPlaceholders({ computedPrice, productWeight }: VariantRowProps): Readonly<Record<GridColumn, string>> {
  return {
    price: computedPrice === null ? '' : formatDollars(computedPrice).slice(1),
    sku: 'From the article number',
    gtin: '',
    weight: productWeight === '' ? 'Unknown' : productWeight,
    cost: 'Unknown',
    stock: 'Not counted',
  };
}

function formatPrice({ variant: { price }, computedPrice }: VariantRowProps): string {
  const dollars = price.trim() === '' ? computedPrice : parseDollars(price);
  return dollars === null ? '' : formatDollars(dollars);
}

/** The name; where rows are folded, a line that opens the row. */
function RowHead(props: VariantRowProps) {
  const { variantKey, name, variant, isOpen, onToggle } = props;
  return (
    <th scope="row">
      <span className={styles.name}>{name}</span>
      <button type="button" className={styles.opener} aria-expanded={isOpen} onClick={() => onToggle(variantKey)}>
        <span>{name}</span>
        <span className="muted small tabular">{variant.isPublished ? formatPrice(props) : 'Not sold'}</span>
        <Icon name="chevronDown" size={18} />
      </button>
    </th>
  );
}

function TextCells(props: VariantRowProps) {
  const { variantKey, index, name, variant, cost, stock, problems, onEdit } = props;
  const extras: ExtraTexts = { cost, stock };
  const placeholders = findPlaceholders(props);
  const readText = (column: GridColumn): string | null =>
    isExtraColumn(column) ? (extras[column] ?? null) : variant[column];
  return listColumns(extras).map(({ column, title, label, inputMode, maxLength }) => {
    const text = readText(column);
    return (
      <td key={column}>
        {text === null ? (
          <span className={styles.none}>Once it is saved</span>
        ) : (
          <Cell
            label={`${label} of ${name}`}
            column={title}
            value={text}
            placeholder={placeholders[column]}
            {...(inputMode && { inputMode })}
            maxLength={maxLength}
            problem={problems[column]}
            onChange={(typed) => onEdit([{ key: variantKey, column, text: typed }])}
            place={{ row: index, column }}
          />
        )}
      </td>
    );
  });
}

export const VariantRow = memo(function VariantRow(props: VariantRowProps) {
  const { variantKey, index, name, variant, cost, stock, isOpen, onChange } = props;
  const [isShowingPictures, setIsShowingPictures] = useState(false);
  const set = (changes: Partial<FormVariant>): void => onChange(variantKey, { ...variant, ...changes });
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <RowHead {...props} />
        <TextCells {...props} />
        <td>
          <label className={tableStyles.check}>
            <input
              type="checkbox"
              checked={variant.isPublished}
              aria-label={`Sell ${name}`}
              onChange={({ target }) => set({ isPublished: target.checked })}
              {...toPlaceAttributes({ row: index, column: 'sell' })}
            />
            <span className={tableStyles.label}>Sell</span>
          </label>
        </td>
        <td>
          <PicturesCell
            of={`of ${name}`}
            pictures={variant.pictures}
            isOpen={isShowingPictures}
            onToggle={() => setIsShowingPictures(!isShowingPictures)}
            place={{ row: index, column: 'pictures' }}
          />
        </td>
      </tr>
      {isShowingPictures && (
        <tr data-open={isOpen || undefined}>
          <td colSpan={listColumns({ cost, stock }).length + 3} className={styles.whole}>
            <PictureField
              label={`Pictures of ${name}`}
              value={variant.pictures}
              onChange={(pictures) => set({ pictures })}
            />
          </td>
        </tr>
      )}
    </>
  );
});
