/** Variants on sale, for orders that staff create. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface VariantRow {
  readonly id: string;
  readonly productId: string;
  readonly valueIds: readonly string[];
  readonly sku: string;
  /** Null if its stock is not tracked. */
  readonly available: number | null;
}

/** Sellable variants of these products, in the order of the products. */
export async function listVariantsOf(db: Db, productIds: readonly string[]): Promise<readonly VariantRow[]> {
  const { rows } = await sql<VariantRow>`
    select variant.id, variant.product_id as "productId", variant.property_value_ids as "valueIds", variant.sku, stock.available
    from unnest(${productIds}::uuid[]) with ordinality as wanted (id, place)
    join product_variants variant on variant.product_id = wanted.id and variant.is_published
    left join variant_stock stock on stock.variant_id = variant.id
    order by wanted.place, variant.position, variant.id
  `.execute(db);
  return rows;
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, (found) => `\\${found}`);

/** Sellable variants whose SKU begins with the text. */
export async function findVariantsBySku(db: Db, start: string, limit: number): Promise<readonly VariantRow[]> {
  const { rows } = await sql<VariantRow>`
    select variant.id, variant.product_id as "productId", variant.property_value_ids as "valueIds", variant.sku, stock.available
    from product_variants variant left join variant_stock stock on stock.variant_id = variant.id
    where lower(variant.sku) like ${`${escapePattern(start.toLowerCase())}%`} and variant.is_published
    order by lower(variant.sku) using ~<~ limit ${limit}
  `.execute(db);
  return rows;
}
