import type { Db } from '#src/platform/database/database.ts';
import { listProductsOfPictures } from './store.ts';

interface ProductUse {
  readonly kind: 'product';
  readonly name: string;
  /** Null while the product is not published. */
  readonly url: string | null;
}

/** The products that show each of these pictures, by path. */
export async function findPictureUses(db: Db, paths: readonly string[]): Promise<ReadonlyMap<string, ProductUse[]>> {
  const uses = new Map<string, ProductUse[]>();
  for (const { path, name, slug, isPublished } of await listProductsOfPictures(db, paths)) {
    const use: ProductUse = { kind: 'product', name, url: isPublished ? `/catalog/product/${slug}` : null };
    uses.set(path, [...(uses.get(path) ?? []), use]);
  }
  return uses;
}
