/** Lists products in any state for staff. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createWordQuery } from '#src/platform/database/word-query.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { salePriceJson, selectReduced, toSalePrice } from '../sale-prices/prices.store.ts';
import type { SalePriceJson } from '../sale-prices/prices.store.ts';
import { reduceBasePrice } from '../sale-prices/sale-price.ts';
import { MIN_SKU_PREFIX } from '#src/shop/inventory/sku-search.ts';
import { LAST_CHARACTER } from './product-search.ts';
import { getProductState } from './product-state.ts';
import type { ProductSort, ProductState } from './product-state.ts';
import { foldText } from '#src/shop/fold-text.ts';

/** Further matches are not counted. */
const MAX_COUNTED = 10_000;

export interface ProductFilter {
  readonly q?: string | undefined;
  readonly state?: ProductState | 'changed' | 'reduced' | undefined;
  readonly category?: string | undefined;
  readonly brand?: string | undefined;
}

/** The best plan depends on the text, and on how far the page is from the first one. */

/** Decides which sale prices are in force. */
interface Moment {
  readonly now: Date;
}
type Wanted = ProductFilter & Moment;

export interface ListedRow {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  readonly mainImage: string;
  readonly state: ProductState;
  readonly hasDraft: boolean;
  readonly categoryName: string;
  readonly brandName: string;
  readonly basePriceCents: Cents;
  /** The reduced base price; null without a sale price in force. */
  readonly salePriceCents: Cents | null;
  readonly soldUnits: number;
}

const STATES: Readonly<Record<ProductState, RawBuilder<unknown>>> = {
  published: sql`products.is_published`,
  draft: sql`not products.is_published and products.first_published_at is null`,
  withdrawn: sql`not products.is_published and products.first_published_at is not null`,
};

/** Every order ends with the id, so that pages neither repeat nor omit a product. */
const ORDERS: Readonly<Record<ProductSort, RawBuilder<unknown>>> = {
  newest: sql`products.created_at desc, products.id desc`,
  position: sql`products.position, products.id`,
  name: sql`lower(products.name), products.id`,
  price_asc: sql`products.base_price_cents, products.id`,
  price_desc: sql`products.base_price_cents desc, products.id desc`,
  best_sold: sql`product_sales.sold_units desc, product_sales.product_id desc`,
};

/** The column of each order: found products are sorted without their other columns. */
const SORTED_BY: Readonly<Record<ProductSort, string>> = {
  newest: 'created_at',
  position: 'position',
  name: 'name',
  price_asc: 'base_price_cents',
  price_desc: 'base_price_cents',
  best_sold: 'position',
};

/** The condition that a text finds the product: all its words, or a SKU or its start. Both by an index. */
function matchText(text: string): RawBuilder<unknown> {
  const words = createWordQuery(foldText(text));
  const byWords = words === null ? sql`false` : sql`products.search_words @@ to_tsquery('simple', ${words})`;
  const bySku =
    text.length < MIN_SKU_PREFIX
      ? sql`lower(sku) = lower(${text})`
      : sql`lower(sku) ~>=~ lower(${text}) and lower(sku) ~<~ (lower(${text}) || ${LAST_CHARACTER})`;
  return sql`(${byWords} or products.id = any(array(select distinct product_id from product_variants where ${bySku})))`;
}

/** Whether another index than that of the order finds the products. */
const isSearch = ({ q = '', state }: ProductFilter): boolean =>
  q.trim() !== '' || state === 'changed' || state === 'reduced';

function listConditions({ q = '', state, category, brand, now }: Wanted): RawBuilder<unknown> {
  const text = q.trim();
  const conditions = [
    ...(state === undefined || state === 'changed' || state === 'reduced' ? [] : [STATES[state]]),
    ...(state === 'changed' ? [sql`products.id in (select product_id from product_drafts)`] : []),
    ...(state === 'reduced' ? [sql`products.id in (${selectReduced(now)})`] : []),
    ...(category === undefined ? [] : [sql`products.category_id = ${category}`]),
    ...(brand === undefined ? [] : [sql`products.brand_id = ${brand}`]),
    ...(text === '' ? [] : [matchText(text)]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

interface ListWindow {
  readonly limit: number;
  readonly offset: number;
}

/** Number of products that match, at most `limit`. */
async function countProducts(db: Db, filter: Wanted, limit = MAX_COUNTED): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total
    from (select from products where ${listConditions(filter)} limit ${limit}) counted
  `.execute(db);
  return rows[0]?.total ?? 0;
}

/** Ids in order, at most `limit`. */
async function listIds(
  db: Db,
  filter: Wanted,
  sort: ProductSort,
  { limit, offset }: ListWindow,
): Promise<readonly string[]> {
  if (isSearch(filter)) return listFound(db, filter, sort, { limit, offset });
  if (sort === 'best_sold') return listBestSold(db, filter, { limit, offset });
  const { rows } = await sql<{ id: string }>`
    select products.id from products where ${listConditions(filter)}
    order by ${ORDERS[sort]} limit ${limit} offset ${offset}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Finds all, then sorts. An index of the order would be walked product by product until a page is full. */
async function listFound(
  db: Db,
  filter: Wanted,
  sort: ProductSort,
  { limit, offset }: ListWindow,
): Promise<readonly string[]> {
  const isBestSold = sort === 'best_sold';
  const sales = isBestSold ? sql`left join product_sales on product_sales.product_id = products.id` : sql``;
  const order = isBestSold ? sql`sold_units desc nulls last, products.id desc` : ORDERS[sort];
  // `offset 0` keeps the planner from using an index of the order.
  const { rows } = await sql<{ id: string }>`
    select products.id
    from (
      select id, ${sql.raw(SORTED_BY[sort])} from products where ${listConditions(filter)} offset 0
    ) products ${sales}
    order by ${order} limit ${limit} offset ${offset}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Up to this number, matching products are found and sorted sooner than by the order of all sales. */
const MAX_SORTED = 25_000;

/** Products with sales, in the order of an index, then those that have none recorded. */
async function listBestSold(db: Db, filter: Wanted, { limit, offset }: ListWindow): Promise<readonly string[]> {
  const isNarrow = filter.category !== undefined || filter.brand !== undefined || filter.state !== undefined;
  if (isNarrow && (await countProducts(db, filter, MAX_SORTED + 1)) <= MAX_SORTED) {
    return listFound(db, filter, 'best_sold', { limit, offset });
  }
  const sold = sql`from product_sales join products on products.id = product_id where ${listConditions(filter)}`;
  const { rows } = await sql<{ id: string }>`
    select products.id ${sold} order by ${ORDERS.best_sold} limit ${limit} offset ${offset}
  `.execute(db);
  if (rows.length === limit) return rows.map(({ id }) => id);
  const { rows: counted } = await sql<{ count: number }>`select count(*)::integer as count ${sold}`.execute(db);
  const { rows: unsold } = await sql<{ id: string }>`
    select id from products
    where not exists (select from product_sales where product_id = products.id) and ${listConditions(filter)}
    order by id limit ${limit - rows.length} offset ${Math.max(0, offset - (counted[0]?.count ?? 0))}
  `.execute(db);
  return [...rows, ...unsold].map(({ id }) => id);
}

export async function listProducts(
  db: Db,
  filter: Wanted,
  sort: ProductSort,
  page: number,
): Promise<{ readonly products: readonly ListedRow[]; readonly total: number }> {
  const window = toRowRange(page);
  const [ids, total] = await Promise.all([listIds(db, filter, sort, window), countProducts(db, filter)]);
  return { products: await readListed(db, ids, filter.now), total };
}

/** Ids of all products that match, at most `limit`. */
export const listMatchingIds = (db: Db, filter: Wanted, limit: number): Promise<readonly string[]> =>
  listIds(db, filter, 'newest', { limit, offset: 0 });

interface ReadRow extends Omit<ListedRow, 'state' | 'basePriceCents' | 'salePriceCents'> {
  readonly salePrice: SalePriceJson | null;
  readonly isPublished: boolean;
  readonly firstPublishedAt: Date | null;
  readonly basePrice: bigint;
}

async function readListed(db: Db, ids: readonly string[], now: Date): Promise<readonly ListedRow[]> {
  const { rows } = await sql<ReadRow>`
    select products.id, products.version, products.name, products.slug, article, main_image as "mainImage",
      is_published as "isPublished", first_published_at as "firstPublishedAt",
      exists (select from product_drafts where product_id = products.id) as "hasDraft",
      categories.name as "categoryName", brands.name as "brandName", base_price_cents as "basePrice",
      coalesce(sold_units, 0) as "soldUnits",
      (
        select ${salePriceJson} from sale_prices listed
        where listed.product_id = products.id and starts_at <= ${now} and (ends_at is null or ends_at > ${now})
      ) as "salePrice"
    from unnest(${ids}::uuid[]) with ordinality as listed (id, position)
    join products on products.id = listed.id
    join categories on categories.id = category_id
    join brands on brands.id = brand_id
    left join product_sales on product_sales.product_id = products.id
    order by listed.position
  `.execute(db);
  return rows.map(({ isPublished, firstPublishedAt, basePrice, salePrice, ...row }) => ({
    ...row,
    state: getProductState(isPublished, firstPublishedAt),
    basePriceCents: cents(basePrice),
    salePriceCents: salePrice && reduceBasePrice(cents(basePrice), toSalePrice(salePrice).reduction),
  }));
}
