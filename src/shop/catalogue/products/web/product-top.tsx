import { useMemo, useState } from 'react';
import type { ProductDetail } from '../../contract.ts';
import { listChosenOptions } from '../../filters/offered-options.ts';
import type { OptionGroup } from '../../filters/offered-options.ts';
import { selectPictures } from '../../pictures/select-pictures.ts';
import { Gallery } from '../../pictures/web/gallery.tsx';
import { ProductChoice } from './product-choice.tsx';

interface ProductTopProps {
  readonly product: Omit<ProductDetail, 'selected_property_values' | 'category_id' | 'brand_id' | 'sold_units'>;
  readonly properties: readonly OptionGroup[];
}

/** Pictures of a product beside its options, so that the chosen colour is visible. */
export function ProductTop({ product, properties }: ProductTopProps) {
  const [chosenIds, setChosenIds] = useState<Readonly<Record<string, string>>>({});
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
      />
      <ProductChoice
        product={product}
        properties={properties}
        chosen={chosen}
        onChoose={(groupId, valueId) => setChosenIds({ ...chosenIds, [groupId]: valueId })}
      />
    </>
  );
}
