import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '#src/shop/money.ts';
import {
  parseIncrease,
  selectExceptions,
  selectIncreases,
  toExceptions,
  toTaxAndWeight,
} from './product-prices.store.ts';
import type { VariantExceptionRow } from './product-prices.store.ts';
import { selectPriceHistory, toPriceHistory } from './sale-prices/prices.store.ts';
import type { PriceHistoryJson } from './sale-prices/prices.store.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import type { CatalogueRows, ProductRow as ProductOnSale } from './build-catalogue-data.ts';
import type { ProductContent } from './editing/product-content.ts';
import { pickPublicFields } from './editing/product-fields.ts';
import type { ColumnField } from './editing/product-fields.ts';

/** A number of units of a product, of any variant. */
export interface ProductQuantity {
  readonly productId: string;
  readonly quantity: number;
}

interface NamedRow {
  id: string;
  name: string;
  slug: string;
  position: number;
}

interface ProductColumns extends Pick<ProductContent, ColumnField> {
  id: string;
  position: number;
  base_price_cents: bigint;
  specifications: Record<string, string>;
  images: string[];
  main_image: string;
  picture_alts: Record<string, string>;
  is_published: boolean;
  created_at: Date;
  revision: bigint;
}

type Tables = Record<'brands' | 'categories', NamedRow> &
  Record<'properties', { id: string; category_id: string; name: string; position: number }> &
  Record<
    'property_values',
    { id: string; property_id: string; value: string; increase_cents: bigint; position: number }
  > &
  Record<'products', ProductColumns> &
  Record<'product_sales', { product_id: string; sold_units: number }>;

const READ_BATCH_SIZE = 5_000;

/** Increases with every change of a product. */
export const CATALOGUE_TOPIC = 'catalogue';
/** Increases, besides the other one, with every change of brands, categories, properties and values. */
export const STRUCTURE_TOPIC = 'catalogue-structure';

export interface CatalogueRevisions {
  readonly catalogue: bigint;
  readonly structure: bigint;
}

const readRevisions = async (trx: Db): Promise<CatalogueRevisions> => ({
  catalogue: await readRevision(trx, CATALOGUE_TOPIC),
  structure: await readRevision(trx, STRUCTURE_TOPIC),
});

export type CatalogueChanges =
  | {
      readonly isWhole: true;
      readonly revisions: CatalogueRevisions;
      readonly rows: CatalogueRows;
      /** Position of the units sold, for `readSales`. */
      readonly salesSince: string;
    }
  | {
      readonly isWhole: false;
      readonly revisions: CatalogueRevisions;
      readonly changed: readonly ProductOnSale[];
      /** Not on sale. */
      readonly removedIds: readonly string[];
    };

/** Everything published, in display order, or what has changed since a revision; from one snapshot. */
export function loadCatalogue(db: Db, since: CatalogueRevisions | null, now: Date): Promise<CatalogueChanges> {
  const read = async (trx: Db): Promise<CatalogueChanges> => {
    const revisions = await readRevisions(trx);
    if (since === null || since.structure !== revisions.structure) {
      return {
        isWhole: true,
        revisions,
        rows: await readCatalogue(trx, now),
        salesSince: await readSalesPosition(trx),
      };
    }
    const { rows: removed } = await sql<{ id: string }>`
      select id from products where revision > ${since.catalogue} and not is_published
    `.execute(trx);
    const changed = await readProducts(trx, now, (query) => query.where('products.revision', '>', since.catalogue));
    return { isWhole: false, revisions, changed, removedIds: removed.map(({ id }) => id) };
  };
  return transact(db, read, { isolationLevel: 'repeatable read' });
}

async function readCatalogue(trx: Db, now: Date): Promise<CatalogueRows> {
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
  const products = await readProducts(trx, now);
  return {
    brands,
    categories,
    properties,
    values: values.map(({ increase_cents, ...value }) => ({ ...value, increaseCents: cents(increase_cents) })),
    products,
  };
}

/** Read model: no variant of a row of `products` is sold and can be ordered. */
const isSoldOut = sql`not exists (
  select from product_variants variant left join variant_stock stock on stock.variant_id = variant.id
  where variant.product_id = products.id and variant.is_published and coalesce(stock.available > 0, true)
)`;

/** Read model: a variant that is sold of a row of `products` cannot be ordered. */
const hasSoldOutVariant = sql`exists (
  select from product_variants variant join variant_stock stock on stock.variant_id = variant.id
  where variant.product_id = products.id and variant.is_published and stock.available <= 0
)`;

const selectProducts = (db: Db, now: Date) =>
  db
    .$extendTables<Tables>()
    .selectFrom('products')
    .leftJoin('product_sales', 'product_sales.product_id', 'products.id')
    .selectAll('products')
    .select((of) => [
      of.fn.coalesce('product_sales.sold_units', sql<number>`0`).as('sold_units'),
      selectIncreases.as('increases'),
      sql<Record<string, string[]>>`(
        select coalesce(json_object_agg(value_id, images), '{}')
        from product_values
        where product_id = products.id and images <> '{}'
      )`.as('value_images'),
      selectExceptions.as('exceptions'),
      selectPriceHistory(now).as('price_history'),
      sql<boolean>`${isSoldOut}`.as('is_sold_out'),
      sql<boolean>`${hasSoldOutVariant}`.as('has_sold_out_variant'),
    ])
    .where('is_published', '=', true);

/** Reads in batches so that no statement of a large catalogue takes long. */
async function readProducts(
  db: Db,
  now: Date,
  restrict: (query: ReturnType<typeof selectProducts>) => ReturnType<typeof selectProducts> = (query) => query,
): Promise<readonly ProductOnSale[]> {
  const read: ProductOnSale[] = [];
  for (let last: string | undefined; ; last = read.at(-1)?.id) {
    const rows = await restrict(selectProducts(db, now))
      .$if(last !== undefined, (query) => query.where('products.id', '>', last ?? ''))
      .orderBy('products.id')
      .limit(READ_BATCH_SIZE)
      .execute();
    for (const row of rows) read.push(toProduct(row));
    if (rows.length < READ_BATCH_SIZE) break;
  }
  // The rows are in id order; the sort is stable.
  return read.toSorted((a, b) => a.position - b.position);
}

interface ReadProduct extends ProductColumns {
  readonly sold_units: number;
  /** Value ids with their increases in cents, such as `019a…:4000`. */
  readonly increases: readonly string[];
  readonly value_images: Readonly<Record<string, readonly string[]>>;
  readonly exceptions: readonly VariantExceptionRow[] | null;
  readonly price_history: PriceHistoryJson | null;
  readonly is_sold_out: boolean;
  readonly has_sold_out_variant: boolean;
}

/** Shared by all products that have none, to save memory. */
const NO_ALTS: Readonly<Record<string, string>> = {};

function toPictureAlts(stored: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entered = Object.entries(stored).filter(([, alt]) => alt !== '');
  return entered.length === 0 ? NO_ALTS : Object.fromEntries(entered);
}

const toProduct = (row: ReadProduct): ProductOnSale => ({
  id: row.id,
  ...pickPublicFields(row),
  brandId: row.brand_id,
  categoryId: row.category_id,
  basePriceCents: cents(row.base_price_cents),
  ...toTaxAndWeight(row.tax_class, row.weight_grams),
  soldUnits: row.sold_units,
  subDescription: row.sub_description,
  specifications: row.specifications,
  images: row.images,
  mainImage: row.main_image,
  pictureAlts: toPictureAlts(row.picture_alts),
  createdAt: row.created_at,
  position: row.position,
  increases: new Map(row.increases.map(parseIncrease)),
  valueImages: row.value_images,
  ...toExceptions(row.exceptions),
  isSoldOut: row.is_sold_out,
  hasSoldOutVariant: row.has_sold_out_variant,
  ...(row.price_history === null ? {} : { priceHistory: toPriceHistory(row.price_history) }),
});

/** What is sold out of a product. */
export interface SoldOut {
  readonly isSoldOut: boolean;
  readonly hasSoldOutVariant: boolean;
}

/** What is sold out of the products of these variants, by id; only those on sale. */
export async function readSoldOut(db: Db, variantIds: readonly string[]): Promise<ReadonlyMap<string, SoldOut>> {
  const { rows } = await sql<SoldOut & { readonly id: string }>`
    select id, ${isSoldOut} as "isSoldOut", ${hasSoldOutVariant} as "hasSoldOutVariant" from products
    where is_published
      and id in (select product_id from product_variants where id = any(${variantIds}::uuid[]))
  `.execute(db);
  return new Map(rows.map(({ id, ...soldOut }) => [id, soldOut]));
}

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

/** Id of the product that last had this slug and has another one now. */
export async function findFormerSlug(db: Db, slug: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from former_product_slugs where slug = ${slug}
  `.execute(db);
  return rows[0]?.id ?? null;
}

/** Id of the category that last had this slug and has another one now. */
export async function findFormerCategorySlug(db: Db, slug: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select category_id as id from former_category_slugs where slug = ${slug}
  `.execute(db);
  return rows[0]?.id ?? null;
}

/** Every sale that is not visible in this snapshot yet has at least this transaction id. */
async function readSalesPosition(trx: Db): Promise<string> {
  const { rows } = await sql<{ position: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as position
  `.execute(trx);
  return rows[0]?.position ?? '0';
}

/** Units ever sold of the products whose sales changed after a position, and the next position. */
export async function readSales(
  db: Db,
  since: string,
): Promise<{ readonly next: string; readonly soldUnits: ReadonlyMap<string, number> }> {
  const { rows } = await sql<{ next: string; id: string | null; units: number }>`
    with present as (select pg_snapshot_xmin(pg_current_snapshot())::text as next)
    select next, sold.product_id as id, sold.sold_units as units
    from present left join product_sales sold
      on sold.product_id in (select product_id from sale_changes where changed_by >= ${since}::xid8)
  `.execute(db);
  const soldUnits = new Map(rows.flatMap(({ id, units }) => (id === null ? [] : [[id, units] as const])));
  return { next: rows[0]?.next ?? since, soldUnits };
}

export async function deleteSaleChanges(db: Db, until: Date): Promise<void> {
  await sql`delete from sale_changes where changed_at < ${until}`.execute(db);
}

/** Locks products in ascending id to prevent deadlocks. */
export async function addSoldUnits(db: Db, sold: readonly ProductQuantity[]): Promise<void> {
  await sql`
    with added as (
      insert into product_sales (product_id, sold_units)
      select product_id, quantity from ${toQuantityRows(sold)} sold
      order by product_id
      on conflict (product_id) do update set sold_units = product_sales.sold_units + excluded.sold_units
      returning product_id
    )
    insert into sale_changes (product_id) select product_id from added
  `.execute(db);
}

/** Locks products in ascending id to prevent deadlocks. */
export async function subtractSoldUnits(db: Db, returned: readonly ProductQuantity[]): Promise<void> {
  await sql`
    with subtracted as (
      update product_sales sales set sold_units = greatest(sales.sold_units - returned.quantity, 0)
      from (
        select sold.product_id, requested.quantity
        from product_sales sold join ${toQuantityRows(returned)} requested on requested.product_id = sold.product_id
        order by sold.product_id
        for no key update of sold
      ) returned
      where sales.product_id = returned.product_id
      returning sales.product_id
    )
    insert into sale_changes (product_id) select product_id from subtracted
  `.execute(db);
}

/** Quantities summed by product, for a `from` clause. */
const toQuantityRows = (quantities: readonly ProductQuantity[]) => sql`(
  select product_id, sum(quantity)::integer as quantity
  from unnest(
    ${quantities.map(({ productId }) => productId)}::uuid[], ${quantities.map(({ quantity }) => quantity)}::integer[]
  ) as requested (product_id, quantity)
  group by product_id
)`;
