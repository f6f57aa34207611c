import { useMemo, useState } from 'react';
import type { ProductDetail } from '../../contract.ts';
import { listChosenOptions } from '../offered-options.ts';
import type { OptionGroup } from '../offered-options.ts';
import { showVariantInUrl } from './show-variant-in-url.ts';
import { findVariantPosition } from '../variant-table.ts';
import type { VariantTable } from '../variant-table.ts';
import { selectPictures } from '../../pictures/select-pictures.ts';
import { Gallery } from '../../pictures/web/gallery.tsx';
import { ProductChoice } from './product-choice.tsx';
import type { ProductChoiceProps } from './product-choice.tsx';

interface ProductTopProps {
  readonly product: ProductChoiceProps['product'] & Pick<ProductDetail, 'images' | 'value_images' | 'picture_alts'>;
  readonly sheet: string | null;
  readonly saleEnd: string | null;
  readonly properties: readonly OptionGroup[];
  readonly table: VariantTable;
  /** Option ids by group id. */
  readonly firstChoice: Readonly<Record<string, string>>;
}

/** Pictures of a product beside its options, so that the chosen colour is visible. */
export function ProductTop({ product, sheet, saleEnd, properties, table, firstChoice }: ProductTopProps) {
  const [chosenIds, setChosenIds] = useState(firstChoice);
  const choose = (groupId: string, valueId: string): void => {
    const ids = { ...chosenIds, [groupId]: valueId };
    setChosenIds(ids);
    const options = listChosenOptions(properties, ids);
    showVariantInUrl(table[findVariantPosition(properties, (option) => options.includes(option))]?.sku);
  };
  const chosen = useMemo(() => listChosenOptions(properties, chosenIds), [properties, chosenIds]);
  const pictures = selectPictures(
    product.images,
    product.value_images,
    chosen.map(({ id }) => id),
  );
  const picturedValue = chosen.find(({ id }) => pictures === product.value_images[id]);
  return (
    <>
      <Gallery
        key={pictures[0]}
        name={picturedValue ? `${product.name} in ${picturedValue.value}` : product.name}
        paths={pictures}
        alts={product.picture_alts}
      />
      <ProductChoice
        product={product}
        sheet={sheet}
        saleEnd={saleEnd}
        properties={properties}
        table={table}
        chosen={chosen}
        onChoose={choose}
      />
    </>
  );
}
