/** Lists variants with their stock, for staff. Read only. */
import { foldText } from '#src/shop/fold-text.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { MIN_SKU_PREFIX } from '../sku-search.ts';
import type { Db } from '#src/platform/database/database.ts';
import { MAX_LISTED } from './stock-list.ts';
import type { StockFilter, StockSort } from './stock-list.ts';

export interface StockListQuery {
  readonly q: string;
  readonly show: StockFilter;
  readonly sort: StockSort;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, (found) => `\\${found}`);

const onSale = sql`exists (select from variants_on_sale on_sale where on_sale.id = variant.id)`;
const settings = sql`(select low_stock_threshold from inventory_settings)`;

/** Conditions on `variant`, its tracked `stock` and its `own` threshold. */
const FILTERS: Readonly<Record<StockFilter, RawBuilder<unknown>>> = {
  all: sql`true`,
  // The first condition bounds the scan.
  low: sql`stock.available <= greatest(${settings}, (select max(threshold) from low_stock_thresholds))
    and stock.available <= coalesce(own.threshold, ${settings}) and ${onSale}`,
  sold_out: sql`stock.available <= 0 and ${onSale}`,
  short: sql`stock.available < 0`,
  untracked: sql`exists (select from untracked_variants untracked where untracked.variant_id = variant.id)`,
};

const ORDERS: Readonly<Record<StockSort, RawBuilder<unknown>>> = {
  name: sql`products.name, products.id, variant.position, variant.id`,
  sku: sql`variant.sku`,
  least_available: sql`stock.available, variant.id`,
  most_available: sql`stock.available desc, variant.id`,
};

const joins = sql`left join variant_stock stock on stock.variant_id = variant.id
  left join low_stock_thresholds own on own.variant_id = variant.id`;
const isByStock = (sort: StockSort): boolean => sort === 'least_available' || sort === 'most_available';

/** Every word is part of the name, or the whole text is the SKU or its start. The first ones of each. */
function findBySearch({ q, show, sort }: StockListQuery): RawBuilder<unknown> {
  const words = foldText(q)
    .split(/\s+/)
    .filter((word) => word !== '');
  const matches = words.map((word) => sql`products.folded_name like ${`%${escapePattern(word)}%`}`);
  const skuPattern = `${escapePattern(q.toLowerCase())}${q.length < MIN_SKU_PREFIX ? '' : '%'}`;
  const isUntracked = show === 'untracked';
  const where = isByStock(sort) && !isUntracked ? sql`${FILTERS[show]} and stock.available is not null` : FILTERS[show];
  const variants = isUntracked
    ? sql`(select variant_id as id, product_id from untracked_variants) variant`
    : sql`product_variants variant`;
  return sql`(
    select variant.id from products join ${variants} on variant.product_id = products.id ${joins}
    where ${matches.length === 0 ? sql`false` : sql.join(matches, sql` and `)} and ${isUntracked ? sql`true` : where}
    order by products.name, products.id limit ${MAX_LISTED}
  ) union (
    select variant.id from product_variants variant ${joins}
    where lower(variant.sku) like ${skuPattern} and ${where}
    order by lower(variant.sku) using ~<~ limit ${MAX_LISTED}
  )`;
}

/** The variants with the least available, or the most. Reads stock alone before it looks up anything else. */
const findByStock = ({ show, sort }: StockListQuery): RawBuilder<unknown> => sql`
  select stock.variant_id as id from variant_stock stock
  cross join lateral (select stock.variant_id as id) variant
  left join low_stock_thresholds own on own.variant_id = stock.variant_id
  where ${FILTERS[show]}
  order by stock.available ${sort === 'most_available' ? sql`desc` : sql``}, stock.variant_id limit ${MAX_LISTED}`;

const findAll = ({ sort }: StockListQuery): RawBuilder<unknown> => sql`
  select variant.id from product_variants variant
  ${sort === 'name' ? sql`join products on products.id = variant.product_id` : sql``}
  order by ${ORDERS[sort]} limit ${MAX_LISTED}`;

/** None of them has stock to sort by. */
const findUntracked = ({ sort }: StockListQuery): RawBuilder<unknown> => sql`
  select variant.id from untracked_variants untracked
  join products on products.id = untracked.product_id
  join product_variants variant on variant.id = untracked.variant_id
  order by ${isByStock(sort) ? sql`variant.id` : ORDERS[sort]} limit ${MAX_LISTED}`;

function findVariants(query: StockListQuery): RawBuilder<unknown> {
  if (query.q !== '') return findBySearch(query);
  if (query.show === 'untracked') return findUntracked(query);
  const isOfStock = query.show === 'low' || query.show === 'sold_out' || query.show === 'short';
  return isOfStock || (isByStock(query.sort) && query.show === 'all') ? findByStock(query) : findAll(query);
}

/** Ids of one page in order, and the number of all, at most `MAX_LISTED`. */
export async function listStockPage(
  db: Db,
  query: StockListQuery,
  { limit, offset }: Page,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with found as materialized (${findVariants(query)})
    select (select count(*)::integer from found) as total, array(
      select variant.id from found
      join product_variants variant on variant.id = found.id
      join products on products.id = variant.product_id
      left join variant_stock stock on stock.variant_id = variant.id
      order by ${ORDERS[query.sort]} limit ${limit} offset ${offset}
    ) as ids
  `.execute(db);
  return rows[0] ?? { ids: [], total: 0 };
}

export interface VariantExtras {
  readonly isOnSale: boolean;
  /** Null: the threshold of the shop. */
  readonly threshold: number | null;
}

export async function readExtras(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, VariantExtras>> {
  const { rows } = await sql<VariantExtras & { readonly id: string }>`
    select variant.id, own.threshold,
      exists (select from variants_on_sale on_sale where on_sale.id = variant.id) as "isOnSale"
    from product_variants variant left join low_stock_thresholds own on own.variant_id = variant.id
    where variant.id = any(${ids}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, isOnSale, threshold }) => [id, { isOnSale, threshold }]));
}

/** Every variant of a product, with its property values. Each product has one. */
export async function listVariantsOf(
  db: Db,
  productId: string,
): Promise<readonly { readonly id: string; readonly valueIds: string[] }[]> {
  const { rows } = await sql<{ id: string; valueIds: string[] }>`
    select id, property_value_ids as "valueIds" from product_variants where product_id = ${productId}
    order by position, id
  `.execute(db);
  return rows;
}

export interface HistoryRow {
  readonly id: bigint;
  readonly at: Date;
  readonly reason: 'received' | 'damaged' | 'counted' | 'returned' | 'correction' | 'sold' | 'restocked';
  readonly note: string | null;
  readonly by: string | null;
  readonly order_id: string | null;
  readonly number: bigint | null;
  readonly available_before: number | null;
  readonly available_after: number | null;
  readonly on_hand_before: number | null;
  readonly on_hand_after: number | null;
}

/** Changes of the stock of a variant, newest first, and their number. */
export async function listHistory(
  db: Db,
  variantId: string,
  { limit, offset }: Page,
): Promise<{ readonly rows: readonly HistoryRow[]; readonly total: number }> {
  const [page, counted] = await Promise.all([
    sql<HistoryRow>`
      select entry.id, entry.at, entry.reason, entry.note, coalesce(users.username, entry.source) as by,
        entry.order_id, orders.number, available_before, available_after, on_hand_before, on_hand_after
      from (
        select * from stock_history where variant_id = ${variantId} order by id desc limit ${limit} offset ${offset}
      ) entry
      left join users on users.id = entry.actor_id
      left join orders on orders.id = entry.order_id
      order by entry.id desc
    `.execute(db),
    sql<{ total: number }>`
      select count(*)::integer as total from stock_history where variant_id = ${variantId}
    `.execute(db),
  ]);
  return { rows: page.rows, total: counted.rows[0]?.total ?? 0 };
}
