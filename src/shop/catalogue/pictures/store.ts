/** Finds the products that show a picture. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface ProductOfPicture {
  readonly path: string;
  readonly name: string;
  readonly slug: string;
  readonly isPublished: boolean;
}

/** One row a path and product, as its own picture, of a value or variant, or in its draft. */
export async function listProductsOfPictures(db: Db, paths: readonly string[]): Promise<readonly ProductOfPicture[]> {
  if (paths.length === 0) return [];
  const { rows } = await sql<ProductOfPicture>`
    with searched as (select unnest(${paths}::text[]) as path),
    shown as (
      select path, id as product_id from searched join products on products.images @> array[path]
      union
      select path, id from searched join products on products.main_image = path
      union
      select path, product_id from searched
        join product_values shown on shown.images <> '{}' and shown.images @> array[path]
      union
      select path, product_id from searched
        join product_variants shown on shown.images <> '{}' and shown.images @> array[path]
      union
      select path, product_id from searched join product_drafts on picture_paths @> array[path]
    )
    select path, name, slug, is_published as "isPublished"
    from shown join products on products.id = shown.product_id
    order by name, slug
  `.execute(db);
  return rows;
}
