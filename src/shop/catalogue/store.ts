import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '#src/shop/money.ts';
import type { CatalogueRows } from './build-catalogue-data.ts';
import type { StockQuantity } from '#src/shop/inventory/reservation.ts';

interface NamedRow {
  id: string;
  name: string;
  slug: string;
  position: number;
}

interface ProductRow extends NamedRow {
  article: string;
  category_id: string;
  brand_id: string;
  base_price_cents: bigint;
  description: string;
  sub_description: string;
  specifications: Record<string, string>;
  images: string[];
  main_image: string;
  is_published: boolean;
  created_at: Date;
}

type Tables = Record<'brands' | 'categories', NamedRow> &
  Record<'properties', { id: string; category_id: string; name: string; position: number }> &
  Record<
    'property_values',
    { id: string; property_id: string; value: string; increase_cents: bigint; position: number }
  > &
  Record<'products', ProductRow> &
  Record<'product_sales', { product_id: string; sold_units: number }>;

const READ_BATCH_SIZE = 5_000;

/** Everything published, from one snapshot, in display order. */
export function loadCatalogue(db: Db): Promise<CatalogueRows> {
  return transact(db, readCatalogue, { isolationLevel: 'repeatable read' });
}

async function readCatalogue(trx: Db): Promise<CatalogueRows> {
  const tables = trx.$extendTables<Tables>();
  const brands = await tables
    .selectFrom('brands')
    .select(['id', 'name', 'slug'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const categories = await tables
    .selectFrom('categories')
    .select(['id', 'name', 'slug'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const properties = await tables
    .selectFrom('properties')
    .select(['id', 'category_id as categoryId', 'name'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const values = await tables
    .selectFrom('property_values')
    .select(['id', 'property_id as propertyId', 'value', 'increase_cents'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const products = await readProducts(trx);
  return {
    brands,
    categories,
    properties,
    values: values.map(({ increase_cents, ...value }) => ({ ...value, increaseCents: cents(increase_cents) })),
    products,
  };
}

/** Reads in batches so that no statement of a large catalogue takes long. */
async function readProducts(trx: Db): Promise<CatalogueRows['products']> {
  const tables = trx.$extendTables<Tables>();
  const read: { readonly position: number; readonly product: CatalogueRows['products'][number] }[] = [];
  for (let last: string | undefined; ; last = read.at(-1)?.product.id) {
    const rows = await tables
      .selectFrom('products')
      .leftJoin('product_sales', 'product_sales.product_id', 'products.id')
      .selectAll('products')
      .select((of) => [
        of.fn.coalesce('product_sales.sold_units', sql<number>`0`).as('sold_units'),
        sql<string[]>`array(select value_id::text from product_values where product_id = products.id)`.as('value_ids'),
        sql<Record<string, string[]>>`(
          select coalesce(json_object_agg(value_id, images), '{}')
          from product_values
          where product_id = products.id and images <> '{}'
        )`.as('value_images'),
      ])
      .where('is_published', '=', true)
      .$if(last !== undefined, (query) => query.where('products.id', '>', last ?? ''))
      .orderBy('products.id')
      .limit(READ_BATCH_SIZE)
      .execute();
    for (const row of rows) read.push({ position: row.position, product: toProduct(row) });
    if (rows.length < READ_BATCH_SIZE) break;
  }
  // The rows are in id order; the sort is stable.
  return read.toSorted((a, b) => a.position - b.position).map(({ product }) => product);
}

interface ReadProduct extends ProductRow {
  readonly sold_units: number;
  readonly value_ids: readonly string[];
  readonly value_images: Readonly<Record<string, readonly string[]>>;
}

const toProduct = (row: ReadProduct) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  article: row.article,
  brandId: row.brand_id,
  categoryId: row.category_id,
  basePriceCents: cents(row.base_price_cents),
  soldUnits: row.sold_units,
  description: row.description,
  subDescription: row.sub_description,
  specifications: row.specifications,
  images: row.images,
  mainImage: row.main_image,
  createdAt: row.created_at,
  valueIds: row.value_ids,
  valueImages: row.value_images,
});

export interface FormerProduct {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly subDescription: string;
  readonly mainImage: string;
}

/** The names of products by id, published or not. */
export async function findProducts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, FormerProduct>> {
  const rows = await db
    .$extendTables<Tables>()
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'sub_description as subDescription', 'main_image as mainImage'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Units ever sold by product id. */
export async function countSoldUnits(db: Db, productIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .$extendTables<Tables>()
    .selectFrom('product_sales')
    .select(['product_id', 'sold_units'])
    .where('product_id', 'in', productIds)
    .execute();
  return new Map(rows.map(({ product_id, sold_units }) => [product_id, sold_units]));
}

/** Locks products in ascending id to prevent deadlocks. */
export async function addSoldUnits(db: Db, sold: readonly StockQuantity[]): Promise<void> {
  await sql`
    insert into product_sales (product_id, sold_units)
    select product_id, quantity from ${toQuantityRows(sold)} sold
    order by product_id
    on conflict (product_id) do update set sold_units = product_sales.sold_units + excluded.sold_units
  `.execute(db);
}

/** Locks products in ascending id to prevent deadlocks. */
export async function subtractSoldUnits(db: Db, returned: readonly StockQuantity[]): Promise<void> {
  await sql`
    update product_sales sales set sold_units = greatest(sales.sold_units - returned.quantity, 0)
    from (
      select sold.product_id, requested.quantity
      from product_sales sold join ${toQuantityRows(returned)} requested on requested.product_id = sold.product_id
      order by sold.product_id
      for no key update of sold
    ) returned
    where sales.product_id = returned.product_id
  `.execute(db);
}

/** Quantities summed by product, for a `from` clause. */
const toQuantityRows = (quantities: readonly StockQuantity[]) => sql`(
  select product_id, sum(quantity)::integer as quantity
  from unnest(
    ${quantities.map(({ productId }) => productId)}::uuid[], ${quantities.map(({ quantity }) => quantity)}::integer[]
  ) as requested (product_id, quantity)
  group by product_id
)`;

/** Names of products, on sale or not, by id and in the order of the names. */
export async function listNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from products where id = any(${ids}::uuid[]) order by name
  `.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
