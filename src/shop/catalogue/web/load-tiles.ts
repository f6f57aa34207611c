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
      const products = await call('GET /products', { query: { category: slug, limit: String(LOOKED_AT) } });
      const pictured = products.find(({ id }) => !avoidedIds.includes(id)) ?? products[0];
      return pictured ? [{ slug, name, picture: pictured.main_image }] : [];
    }),
  );
  return tiles.flat();
}
