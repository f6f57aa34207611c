import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { FeedVariant } from './feed-variant.ts';

/** A variant by its product and its sorted value ids. */
interface VariantRequest {
  readonly productId: string;
  readonly valueIds: readonly string[];
}

export interface SellableVariant extends VariantRequest {
  readonly id: string;
  readonly sku: string;
  /** Its own; null: that of the product. */
  readonly weightGrams: number | null;
  /** Null if its stock is not tracked. */
  readonly available: number | null;
}

/** Variants, or a statement that selects their `product_id` and `value_ids`. */
export type VariantRequests = readonly VariantRequest[] | RawBuilder<unknown>;

const selectRequested = (requests: VariantRequests): RawBuilder<unknown> =>
  'execute' in requests
    ? requests
    : sql`select product_id, value_ids::uuid[] from unnest(
        ${requests.map(({ productId }) => productId)}::uuid[],
        ${requests.map(({ valueIds }) => `{${valueIds.join()}}`)}::text[]
      ) as requested (product_id, value_ids)`;

/** Read model: the published ones of these variants, with their stock. Locks nothing. */
export async function findSellableVariants(db: Db, requests: VariantRequests): Promise<readonly SellableVariant[]> {
  const { rows } = await sql<SellableVariant>`
    select variant.id, variant.product_id as "productId", variant.property_value_ids as "valueIds", variant.sku,
      variant.weight_grams as "weightGrams", stock.available
    from (${selectRequested(requests)}) as requested
    join product_variants variant
      on variant.product_id = requested.product_id and variant.property_value_ids = requested.value_ids
    left join variant_stock stock on stock.variant_id = variant.id
    where variant.is_published
  `.execute(db);
  return rows;
}

export interface ShownVariant {
  readonly valueIds: readonly string[];
  readonly sku: string;
  readonly gtin: string | null;
  readonly images: readonly string[];
  /** Whether at least one can be ordered. */
  readonly isAvailable: boolean;
}

/** Read model: the published variants of a product, in display order, with whether they are sold out. */
export async function listShownVariants(db: Db, productId: string): Promise<readonly ShownVariant[]> {
  const { rows } = await sql<ShownVariant>`
    select property_value_ids as "valueIds", sku, gtin, images, coalesce(available > 0, true) as "isAvailable"
    from product_variants left join variant_stock on variant_id = id
    where product_id = ${productId} and is_published
    order by position, id
  `.execute(db);
  return rows;
}

/** Read model: the published variants of products with whether they are sold out, by product id. */
export async function listFeedVariants(
  db: Db,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, readonly FeedVariant[]>> {
  const { rows } = await sql<FeedVariant & { readonly productId: string }>`
    select id, product_id as "productId", property_value_ids as "valueIds", sku, gtin, weight_grams as "weightGrams",
      images, coalesce(available > 0, true) as "isAvailable"
    from product_variants left join variant_stock on variant_id = id
    where product_id = any(${productIds}::uuid[]) and is_published
    order by product_id, position, id
  `.execute(db);
  return Map.groupBy(rows, ({ productId }) => productId);
}

/** Names of variants, such as 'iPhone 17 (256GB, Blue)', by id and in the order of the names. */
export async function listVariantNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select variant.id, products.name || coalesce(' (' || string_agg(value.value, ', '
      order by properties.position, properties.id) || ')', '') as name
    from product_variants variant
    join products on products.id = variant.product_id
    left join property_values value on value.id = any(variant.property_value_ids)
    left join properties on properties.id = value.property_id
    where variant.id = any(${ids}::uuid[])
    group by variant.id, products.name
    order by name
  `.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A variant as mails and staff pages show it. */
export interface DescribedVariant {
  readonly productId: string;
  readonly valueIds: readonly string[];
  /** Name of the product with the values, such as 'iPhone 17 (256GB, Blue)'. */
  readonly name: string;
  readonly slug: string;
  readonly sku: string;
}

/** Those of these variants that exist, on sale or not, by id. */
export async function describeVariants(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, DescribedVariant>> {
  const names = await listVariantNames(db, ids);
  const { rows } = await sql<Omit<DescribedVariant, 'name'> & { readonly id: string }>`
    select variant.id, product_id as "productId", property_value_ids as "valueIds", slug, sku
    from product_variants variant join products on products.id = product_id
    where variant.id = any(${ids}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, ...variant }) => [id, { ...variant, name: names.get(id) ?? variant.sku }]));
}

/** Read model: whether a variant on sale is in stock or explicitly not tracked. */
export async function hasOrderableVariant(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select
    from product_variants variant
    join products on products.id = variant.product_id
    left join variant_stock stock on stock.variant_id = variant.id
    where products.is_published and variant.is_published and coalesce(stock.available > 0, true)
    limit 1
  `.execute(db);
  return rows.length > 0;
}
