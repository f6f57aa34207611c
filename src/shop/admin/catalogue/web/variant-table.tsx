import { memo, useState } from 'react';
import { formatDollars } from '#src/shop/format-number.ts';
import { MAX_SKU } from '#src/shop/catalogue/editing/product-limits.ts';
import { NEW_VARIANT } from '../product-form.ts';
import type { FormVariant, ListedVariant, ProductForm } from '../product-form.ts';
import { Cell, PicturesCell } from './cell.tsx';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import styles from './table.module.css';

interface VariantTableProps {
  readonly listed: readonly ListedVariant[];
  readonly variants: ProductForm['variants'];
  /** Of the product, as it is typed. */
  readonly weight: string;
  /** Stable, so that typing in one row renders this row only. */
  readonly onChange: (key: string, variant: FormVariant) => void;
  /** Messages such as `variants.0.sku`, by the order of the list. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Price, SKU, GTIN, weight and publication of each variant. */
export function VariantTable({ listed, variants, weight, onChange, problems }: VariantTableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Variant</th>
          <th scope="col">Own price in USD</th>
          <th scope="col">SKU</th>
          <th scope="col">GTIN</th>
          <th scope="col">Weight in grams</th>
          <th scope="col">Sell</th>
          <th scope="col">Pictures</th>
        </tr>
      </thead>
      <tbody>
        {listed.map(({ key, name, computedPrice }, index) => (
          <VariantRow
            key={key}
            variantKey={key}
            name={name || 'The product'}
            computedPrice={computedPrice}
            variant={variants[key] ?? NEW_VARIANT}
            priceProblem={problems[`variants.${index}.own_price_usd`]}
            skuProblem={problems[`variants.${index}.sku`]}
            gtinProblem={problems[`variants.${index}.gtin`]}
            weightProblem={problems[`variants.${index}.weight_grams`]}
            productWeight={weight}
            onChange={onChange}
          />
        ))}
      </tbody>
    </table>
  );
}

interface VariantRowProps {
  readonly variantKey: string;
  readonly name: string;
  readonly computedPrice: number | null;
  readonly variant: FormVariant;
  readonly priceProblem: string | undefined;
  readonly skuProblem: string | undefined;
  readonly gtinProblem: string | undefined;
  readonly weightProblem: string | undefined;
  readonly productWeight: string;
  readonly onChange: (key: string, variant: FormVariant) => void;
}

interface DetailCellsProps extends VariantRowProps {
  readonly onSet: (changes: Partial<FormVariant>) => void;
}

/** SKU, GTIN and weight. */
function DetailCells(props: DetailCellsProps) {
  const { name, variant, productWeight, skuProblem, gtinProblem, weightProblem, onSet } = props;
  return (
    <>
      <td>
        <Cell
          label={`SKU of ${name}`}
          column="SKU"
          value={variant.sku}
          placeholder="From the article number"
          maxLength={MAX_SKU}
          problem={skuProblem}
          onChange={(sku) => onSet({ sku })}
        />
      </td>
      <td>
        <Cell
          label={`GTIN of ${name}`}
          column="GTIN"
          value={variant.gtin}
          inputMode="numeric"
          maxLength={14}
          problem={gtinProblem}
          onChange={(gtin) => onSet({ gtin })}
        />
      </td>
      <td>
        <Cell
          label={`Weight in grams of ${name}`}
          column="Weight in grams"
          value={variant.weight}
          placeholder={productWeight === '' ? 'Unknown' : productWeight}
          inputMode="numeric"
          maxLength={9}
          problem={weightProblem}
          onChange={(weight) => onSet({ weight })}
        />
      </td>
    </>
  );
}

const VariantRow = memo(function VariantRow(props: VariantRowProps) {
  const { variantKey, name, computedPrice, variant, onChange } = props;
  const [isShowingPictures, setIsShowingPictures] = useState(false);
  const set = (changes: Partial<FormVariant>): void => onChange(variantKey, { ...variant, ...changes });
  return (
    <>
      <tr>
        <th scope="row">{name}</th>
        <td>
          <Cell
            label={`Own price of ${name}`}
            column="Own price in USD"
            value={variant.price}
            placeholder={computedPrice === null ? '' : formatDollars(computedPrice).slice(1)}
            inputMode="decimal"
            maxLength={14}
            problem={props.priceProblem}
            onChange={(price) => set({ price })}
          />
        </td>
        <DetailCells {...props} onSet={set} />
        <td>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={variant.isPublished}
              aria-label={`Sell ${name}`}
              onChange={({ target }) => set({ isPublished: target.checked })}
            />
            <span className={styles.label}>Sell</span>
          </label>
        </td>
        <td>
          <PicturesCell
            of={`of ${name}`}
            count={variant.pictures.length}
            isOpen={isShowingPictures}
            onToggle={() => setIsShowingPictures(!isShowingPictures)}
          />
        </td>
      </tr>
      {isShowingPictures && (
        <tr>
          <td colSpan={7}>
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
