/** Sale prices as staff edit them. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents } from '#src/shop/money.ts';
import {
  presentPrices,
  salePriceJson,
  selectPriceHistory,
  toPriceHistory,
  toPrices,
  toSalePrice,
} from './prices.store.ts';
import type { PriceHistoryJson, PricesJson, SalePriceJson } from './prices.store.ts';
import type { PriceHistory, PriceRecord } from './prior-price.ts';
import type { Reduction, SalePrice } from './sale-price.ts';

/** Of each product, the newest. */
const MAX_LISTED = 50;

export interface StoredPrices {
  /** Normal prices. */
  readonly prices: NonNullable<PriceRecord['prices']>;
  /** Ids of variants with a price of their own, by variant key. */
  readonly variantIds: ReadonlyMap<string, string>;
  readonly history: PriceHistory;
}

/** A product in any state; null if it does not exist. */
export async function readPrices(db: Db, id: string, now: Date): Promise<StoredPrices | null> {
  const { rows } = await sql<{
    prices: PricesJson;
    variantIds: Record<string, string> | null;
    history: PriceHistoryJson | null;
  }>`
    select ${presentPrices} as prices, ${selectPriceHistory(now)} as history,
      (
        select json_object_agg(array_to_string(property_value_ids, ','), id)
        from product_variants where product_id = products.id and own_price_cents is not null
      ) as "variantIds"
    from products where id = ${id}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    prices: toPrices(row.prices),
    variantIds: new Map(Object.entries(row.variantIds ?? {})),
    history: row.history === null ? { records: [], salePrices: [] } : toPriceHistory(row.history),
  };
}

export async function findProductName(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from products where id = ${id}`.execute(db);
  return rows[0]?.name ?? null;
}

export interface StoredSalePrice extends SalePrice {
  readonly productId: string;
  readonly version: number;
  readonly editedAt: Date;
  /** User name; null if the account was erased. */
  readonly editedBy: string | null;
}

interface ReadRow {
  readonly salePrice: SalePriceJson;
  readonly productId: string;
  readonly version: number;
  readonly editedAt: Date;
  readonly editedBy: string | null;
}

const selectStored = sql`
  select ${salePriceJson} as "salePrice", product_id as "productId", version, edited_at as "editedAt",
    username as "editedBy"
  from sale_prices listed left join users on users.id = edited_by
`;
const toStored = ({ salePrice, ...row }: ReadRow): StoredSalePrice => ({ ...row, ...toSalePrice(salePrice) });

/** The newest sale prices of a product, the latest start first. */
export async function listSalePrices(db: Db, productId: string): Promise<readonly StoredSalePrice[]> {
  const { rows } = await sql<ReadRow>`
    ${selectStored} where product_id = ${productId} order by starts_at desc limit ${MAX_LISTED}
  `.execute(db);
  return rows.map(toStored);
}

export async function findSalePrice(db: Db, id: string): Promise<StoredSalePrice | null> {
  const { rows } = await sql<ReadRow>`${selectStored} where listed.id = ${id}`.execute(db);
  return rows[0] === undefined ? null : toStored(rows[0]);
}

/** Sale prices of these products that have not ended, by product id. */
export async function listPresentSalePricesOf(
  db: Db,
  productIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, readonly SalePrice[]>> {
  const { rows } = await sql<{ productId: string; salePrice: SalePriceJson }>`
    select product_id as "productId", ${salePriceJson} as "salePrice" from sale_prices listed
    where product_id = any(${productIds}::uuid[]) and (ends_at is null or ends_at > ${now})
    order by starts_at
  `.execute(db);
  const salePrices = new Map<string, SalePrice[]>();
  for (const { productId, salePrice } of rows) {
    const others = salePrices.get(productId) ?? [];
    salePrices.set(productId, [...others, toSalePrice(salePrice)]);
  }
  return salePrices;
}

/** Sale prices of a product that have not ended. */
export const listPresentSalePrices = async (db: Db, productId: string, now: Date): Promise<readonly SalePrice[]> =>
  (await listPresentSalePricesOf(db, [productId], now)).get(productId) ?? [];

/** The sale price of a product in another time; null if there is none. */
export async function findOverlapping(
  db: Db,
  { id, productId, startsAt, endsAt }: Pick<StoredSalePrice, 'id' | 'productId' | 'startsAt' | 'endsAt'>,
): Promise<StoredSalePrice | null> {
  const { rows } = await sql<ReadRow>`
    ${selectStored}
    where product_id = ${productId} and listed.id <> ${id}
      and tstzrange(starts_at, ends_at) && tstzrange(${startsAt}, ${endsAt})
    order by starts_at limit 1
  `.execute(db);
  return rows[0] === undefined ? null : toStored(rows[0]);
}

interface WrittenSalePrice extends SalePrice {
  readonly productId: string;
  readonly version: number;
  readonly now: Date;
  readonly by: string;
  /** Reduced prices of variants by their id. */
  readonly variantPrices: readonly (readonly [variantId: string, price: Cents])[];
}

const toColumns = (reduction: Reduction) => ({
  basisPoints: reduction.kind === 'percent' ? reduction.basisPoints : null,
  basePrice: reduction.kind === 'amount' ? reduction.basePriceCents : null,
});

/** Stores a sale price, new or not. The caller has locked the product. */
export async function writeSalePrice(tx: Db, written: WrittenSalePrice): Promise<void> {
  const { id, productId, startsAt, endsAt, version, now, by, variantPrices } = written;
  const { basisPoints, basePrice } = toColumns(written.reduction);
  await sql`
    insert into sale_prices (
      id, product_id, starts_at, ends_at, discount_basis_points, base_price_cents, version, edited_at, edited_by
    )
    values (${id}, ${productId}, ${startsAt}, ${endsAt}, ${basisPoints}, ${basePrice}, ${version}, ${now}, ${by})
    on conflict (id) do update set
      starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      discount_basis_points = excluded.discount_basis_points, base_price_cents = excluded.base_price_cents,
      version = excluded.version, edited_at = excluded.edited_at, edited_by = excluded.edited_by
  `.execute(tx);
  await sql`delete from sale_variant_prices where sale_price_id = ${id}`.execute(tx);
  await sql`
    insert into sale_variant_prices (sale_price_id, variant_id, price_cents)
    select ${id}, variant_id, price_cents
    from unnest(
      ${variantPrices.map(([variantId]) => variantId)}::uuid[],
      ${variantPrices.map(([, price]) => price.toString())}::bigint[]
    ) as priced (variant_id, price_cents)
  `.execute(tx);
}

/** Changes the end of a sale price and nothing else. */
export async function writeEnd(
  tx: Db,
  {
    id,
    endsAt,
    now,
    by,
  }: { readonly id: string; readonly endsAt: Date | null; readonly now: Date; readonly by: string },
): Promise<void> {
  await sql`
    update sale_prices set ends_at = ${endsAt}, version = version + 1, edited_at = ${now}, edited_by = ${by}
    where id = ${id}
  `.execute(tx);
}

export async function deleteSalePrice(tx: Db, id: string): Promise<void> {
  await sql`delete from sale_prices where id = ${id}`.execute(tx);
}

/** Makes processes read the product again. */
export async function writeRevision(tx: Db, productId: string, revision: bigint): Promise<void> {
  await sql`update products set revision = ${revision} where id = ${productId}`.execute(tx);
}
