import { keepPictures } from '../chapters/chapters.ts';
import type { Chapter } from '../chapters/chapters.ts';
import { listOwnPaths, selectOffered } from '../editing/product-content.ts';
import type { ProductContent } from '../editing/product-content.ts';
import { shorten } from '../editing/parsed.ts';
import type { StoredProduct, VariantState } from '../editing/stored-product.ts';
import type { ImportedProduct } from './imported-product.ts';

/** The product after the import, whose pictures are paths, or addresses of other sites. */
interface PlannedPictures extends Pick<ProductContent, 'pictures' | 'values'> {
  readonly variants: readonly VariantState[];
}

/**
 * The chapters of a product after the import. Present ones lose pictures that the file takes from the product; one of
 * the file that shows a picture of something else is refused.
 */
export function chooseChapters(
  { fields }: Pick<ImportedProduct, 'fields'>,
  present: StoredProduct | null,
  { variants, ...planned }: PlannedPictures,
  refuse: (message: string) => void,
): readonly Chapter[] {
  const own = new Set(listOwnPaths({ ...planned, variants: selectOffered(planned.values, variants) }));
  if (fields.chapters === undefined) return keepPictures(present?.content.chapters ?? [], own);
  for (const { picture } of fields.chapters) {
    if (picture !== null && !own.has(picture)) refuse(`“${shorten(picture)}” is none of the pictures of this product`);
  }
  return fields.chapters;
}
