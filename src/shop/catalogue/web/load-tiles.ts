import type { ApiCall } from '#src/storefront/api.ts';

const MAX_TILES = 8;
/** Enough to find one that the first row, which has at most as many, does not show. */
const LOOKED_AT = 13;

export interface CategoryTile {
  readonly slug: string;
  readonly name: string;
  /** Path of the picture of one of its products. */
  readonly picture: string;
}

/**
 * The categories that have products, each with the picture of one of them.
 * @param avoidedIds products that the page shows nearby, of which another one is pictured if there is one
 */
export async function loadTiles(call: ApiCall, avoidedIds: readonly string[]): Promise<readonly CategoryTile[]> {
  const categories = (await call('GET /categories')).slice(0, MAX_TILES);
  const tiles = await Promise.all(
    categories.map(async ({ slug, name }) => {
      let first: string | undefined;
      // One by one: the page is rendered again whenever a product that it has read changes.
      for (let offset = 0; offset < LOOKED_AT; offset += 1) {
        const query = { category: slug, limit: '1', offset: String(offset) };
        const [product] = await call('GET /products', { query });
        if (!product) break;
        if (!avoidedIds.includes(product.id)) return [{ slug, name, picture: product.main_image }];
        first ??= product.main_image;
      }
      return first === undefined ? [] : [{ slug, name, picture: first }];
    }),
  );
  return tiles.flat();
}
