import { toPaths } from '../editing/product-content.ts';
import { listAlts } from '../editing/product-target.ts';
import type { StoredProduct } from '../editing/stored-product.ts';
import type { ImportedProduct } from './imported-product.ts';

interface ChosenPictures {
  /** Paths, or addresses of other sites, in order. */
  readonly images: readonly string[];
  /** Alternative texts by path, also of pictures of values and variants. */
  readonly alts: Readonly<Record<string, string>>;
}

/** Pictures of a product after the import. Alternative texts of pictures that the file does not name stay. */
export function choosePictures(
  imported: Pick<ImportedProduct, 'images' | 'pictureAlts'>,
  present: StoredProduct | null,
): ChosenPictures {
  const formerImages = present === null ? [] : toPaths(present.content.pictures);
  const formerAlts = present === null ? {} : listAlts(present);
  const shown = new Set([...formerImages, ...(imported.images ?? [])]);
  const others = Object.fromEntries(Object.entries(formerAlts).filter(([picture]) => !shown.has(picture)));
  return {
    images: imported.images ?? formerImages,
    alts: imported.pictureAlts === undefined ? formerAlts : { ...others, ...imported.pictureAlts },
  };
}
