import { memo, useState } from 'react';
import { formatDollars } from '#src/shop/format-number.ts';
import { MAX_SKU } from '#src/shop/catalogue/editing/product-limits.ts';
import { Icon } from '#src/ui/icons.tsx';
import { parseDollars } from '../parse-dollars.ts';
import type { FormVariant } from '../product-form.ts';
import type { CellEdit, VariantColumn } from '../variant-grid.ts';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import { Cell, PicturesCell, toPlaceAttributes } from './cell.tsx';
import tableStyles from './table.module.css';
import styles from './variant-grid.module.css';

interface GridColumn {
  readonly column: VariantColumn;
  readonly title: string;
  /** Begins the accessible name of its fields: 'SKU of Blue'. */
  readonly label: string;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly maxLength: number;
  /** Whether variants differ in it, so that it is never filled down. */
  readonly isUnique: boolean;
  /** Of a variant in the API. */
  readonly field: string;
}

export const VARIANT_COLUMNS: readonly GridColumn[] = [
  {
    column: 'price',
    title: 'Price in USD',
    label: 'Own price',
    inputMode: 'decimal',
    maxLength: 14,
    isUnique: false,
    field: 'own_price_usd',
  },
  { column: 'sku', title: 'SKU', label: 'SKU', maxLength: MAX_SKU, isUnique: true, field: 'sku' },
  { column: 'gtin', title: 'GTIN', label: 'GTIN', inputMode: 'numeric', maxLength: 14, isUnique: true, field: 'gtin' },
  {
    column: 'weight',
    title: 'Grams',
    label: 'Weight in grams',
    inputMode: 'numeric',
    maxLength: 9,
    isUnique: false,
    field: 'weight_grams',
  },
];

/** Messages by column. */
export type RowProblems = Readonly<Partial<Record<VariantColumn, string>>>;

interface VariantRowProps {
  readonly variantKey: string;
  readonly index: number;
  readonly name: string;
  readonly computedPrice: number | null;
  readonly variant: FormVariant;
  readonly problems: RowProblems;
  readonly productWeight: string;
  /** Where rows are folded. */
  readonly isOpen: boolean;
  readonly onToggle: (key: string) => void;
  readonly onChange: (key: string, variant: FormVariant) => void;
  readonly onEdit: (edits: readonly CellEdit[]) => void;
}

/** What an empty field stands for. */
function findPlaceholders({ computedPrice, productWeight }: VariantRowProps): Readonly<Record<VariantColumn, string>> {
  return {
    price: computedPrice === null ? '' : formatDollars(computedPrice).slice(1),
    sku: 'From the article number',
    gtin: '',
    weight: productWeight === '' ? 'Unknown' : productWeight,
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

export const VariantRow = memo(function VariantRow(props: VariantRowProps) {
  const { variantKey, index, name, variant, problems, isOpen, onChange, onEdit } = props;
  const [isShowingPictures, setIsShowingPictures] = useState(false);
  const set = (changes: Partial<FormVariant>): void => onChange(variantKey, { ...variant, ...changes });
  const placeholders = findPlaceholders(props);
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <RowHead {...props} />
        {VARIANT_COLUMNS.map(({ column, title, label, inputMode, maxLength }) => (
          <td key={column}>
            <Cell
              label={`${label} of ${name}`}
              column={title}
              value={variant[column]}
              placeholder={placeholders[column]}
              {...(inputMode && { inputMode })}
              maxLength={maxLength}
              problem={problems[column]}
              onChange={(text) => onEdit([{ key: variantKey, column, text }])}
              place={{ row: index, column }}
            />
          </td>
        ))}
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
          <td colSpan={7} className={styles.whole}>
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
