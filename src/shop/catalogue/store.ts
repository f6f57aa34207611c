import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '../money.ts';
import type { CatalogueRows } from './build-snapshot.ts';

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

const READ_AT_ONCE = 5_000;

/** Everything published, as of one moment, in the order of the shop. */
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

/** A large catalogue is read in parts: no statement takes long, and what else the shop does goes on between them. */
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
      ])
      .where('is_published', '=', true)
      .$if(last !== undefined, (query) => query.where('products.id', '>', last ?? ''))
      .orderBy('products.id')
      .limit(READ_AT_ONCE)
      .execute();
    for (const row of rows) read.push({ position: row.position, product: productOf(row) });
    if (rows.length < READ_AT_ONCE) break;
  }
  // Read in the order of the ids, which the sort keeps among equals.
  return read.toSorted((a, b) => a.position - b.position).map(({ product }) => product);
}

const productOf = (row: ProductRow & { readonly sold_units: number; readonly value_ids: readonly string[] }) => ({
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
});

/** Units sold in all, by the id of the product. */
export async function soldUnitsOf(db: Db, productIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .$extendTables<Tables>()
    .selectFrom('product_sales')
    .select(['product_id', 'sold_units'])
    .where('product_id', 'in', productIds)
    .execute();
  return new Map(rows.map(({ product_id, sold_units }) => [product_id, sold_units]));
}

/** Adds to the units sold; products are locked in the order of their ids, so that two orders never wait for each other in a circle. */
export async function addSoldUnits(
  db: Db,
  sold: readonly { readonly productId: string; readonly quantity: number }[],
): Promise<void> {
  const productIds = sold.map(({ productId }) => productId);
  const quantities = sold.map(({ quantity }) => quantity);
  await sql`
    insert into product_sales (product_id, sold_units)
    select product_id, sum(quantity)
    from unnest(${productIds}::uuid[], ${quantities}::int[]) as sold (product_id, quantity)
    group by product_id
    order by product_id
    on conflict (product_id) do update set sold_units = product_sales.sold_units + excluded.sold_units
  `.execute(db);
}
