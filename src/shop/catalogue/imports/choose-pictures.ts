import type { ImportedProduct } from './imported-product.ts';
import { listProductPictures } from './match-names.ts';
import type { ProductState } from './product-state.ts';

/** Pictures of a product after the import. Alternative texts of pictures that the file does not name stay. */
export function choosePictures(
  imported: Pick<ImportedProduct, 'images' | 'pictureAlts'>,
  present: ProductState | null,
): Pick<ProductState, 'images' | 'mainImage' | 'pictureAlts'> {
  const { images } = imported;
  const formerAlts = present?.pictureAlts ?? {};
  const shown = new Set([...(present ? listProductPictures(present) : []), ...(images ?? [])]);
  const others = Object.fromEntries(Object.entries(formerAlts).filter(([picture]) => !shown.has(picture)));
  const pictureAlts = imported.pictureAlts === undefined ? formerAlts : { ...others, ...imported.pictureAlts };
  if (images === undefined || (present && listProductPictures(present).join('\n') === images.join('\n'))) {
    return { images: present?.images ?? [], mainImage: present?.mainImage ?? '', pictureAlts };
  }
  return { images, mainImage: images[0] ?? '', pictureAlts };
}
