import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '#src/shop/money.ts';
import type { CatalogueRows } from './build-catalogue-data.ts';
import { exceedsCap, isScarce } from '#src/shop/inventory/reservation.ts';
import type { ReservationResult, ReservationRequest, ReservationTerms } from '#src/shop/inventory/reservation.ts';
import type { Shortage } from '#src/shop/inventory/format-shortage.ts';

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
    for (const row of rows) read.push({ position: row.position, product: productOf(row) });
    if (rows.length < READ_BATCH_SIZE) break;
  }
  // Read in the order of the ids, which the sort keeps among equals.
  return read.toSorted((a, b) => a.position - b.position).map(({ product }) => product);
}

interface ReadProduct extends ProductRow {
  readonly sold_units: number;
  readonly value_ids: readonly string[];
  readonly value_images: Readonly<Record<string, readonly string[]>>;
}

const productOf = (row: ReadProduct) => ({
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

/** What products are called, on sale or not, by their ids. */
export async function findProducts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, FormerProduct>> {
  const rows = await db
    .$extendTables<Tables>()
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'sub_description as subDescription', 'main_image as mainImage'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Units sold in all, by the id of the product. */
export async function countSoldUnits(db: Db, productIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .$extendTables<Tables>()
    .selectFrom('product_sales')
    .select(['product_id', 'sold_units'])
    .where('product_id', 'in', productIds)
    .execute();
  return new Map(rows.map(({ product_id, sold_units }) => [product_id, sold_units]));
}

/** Adds to the units sold; products are locked in the order of their ids, so that two orders never wait for each other in a circle. */
export async function addSoldUnits(db: Db, sold: readonly StockQuantity[]): Promise<void> {
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

/** Takes units off those sold that are not any more; the products are locked in the same order. */
export async function subtractSoldUnits(db: Db, units: readonly StockQuantity[]): Promise<void> {
  await sql`
    update product_sales sales set sold_units = greatest(sales.sold_units - back.quantity, 0)
    from (
      select sold.product_id, asked.quantity
      from product_sales sold join ${toQuantityRows(units)} asked on asked.product_id = sold.product_id
      order by sold.product_id
      for no key update of sold
    ) back
    where sales.product_id = back.product_id
  `.execute(db);
}

// ---- stock

export interface StockQuantity {
  readonly productId: string;
  readonly quantity: number;
}

/** How many are left, of products with a stock of their own. */
export async function countAvailable(db: Db, productIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<Shortage>`
    select product_id as "productId", available from product_stock where product_id = any(${productIds}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ productId, available }) => [productId, available]));
}

/** Units by product, for a `from` clause. */
const toQuantityRows = (units: readonly StockQuantity[]) => sql`(
  select product_id, sum(quantity)::integer as quantity
  from unnest(${units.map(({ productId }) => productId)}::uuid[], ${units.map(({ quantity }) => quantity)}::integer[])
    as asked (product_id, quantity)
  group by product_id
)`;

/** Everybody locks stock in the order of the ids, so that nobody waits in a circle. Products without a row are unlimited. */
async function lockStock(db: Db, units: readonly StockQuantity[]): Promise<readonly (Shortage & StockQuantity)[]> {
  const { rows } = await sql<Shortage & StockQuantity>`
    select stock.product_id as "productId", stock.available, asked.quantity
    from product_stock stock join ${toQuantityRows(units)} asked on asked.product_id = stock.product_id
    order by stock.product_id
    for no key update of stock
  `.execute(db);
  return rows;
}

/** Holds units for an order, all of them or none; answers what there is too little of. */
export async function reserveUncapped(
  db: Db,
  orderId: string,
  units: readonly StockQuantity[],
): Promise<readonly Shortage[]> {
  const limited = await lockStock(db, units);
  const short = limited.filter(({ available, quantity }) => available < quantity);
  if (short.length > 0 || limited.length === 0) {
    return short.map(({ productId, available }) => ({ productId, available }));
  }
  await sql`
    with taken as (
      update product_stock stock set available = stock.available - asked.quantity
      from ${toQuantityRows(limited)} asked
      where stock.product_id = asked.product_id and stock.available >= asked.quantity
      returning stock.product_id, asked.quantity
    )
    insert into stock_holds (order_id, product_id, quantity) select ${orderId}::uuid, product_id, quantity from taken
  `.execute(db);
  return [];
}

/**
 * Reserves units for an order within the caps: all of them, or none and why. The caller holds the lock on the network's
 * row of `quote_counts`, so orders of one network are counted one after the other.
 */
export async function reserve(db: Db, request: ReservationRequest): Promise<ReservationResult> {
  const { orderId, lines, network, isSecured } = request;
  const limited = await lockStock(db, lines);
  const terms = await request.terms;
  const short = limited.filter(({ available, quantity }) => available < quantity);
  if (short.length > 0) {
    return {
      ok: false,
      reason: 'sold-out',
      short: short.map(({ productId, available }) => ({ productId, available })),
    };
  }
  if (limited.length === 0) return { ok: true, isScarce: false };
  const quantities = limited.map(({ quantity }) => quantity);
  if (terms !== null && exceedsCap(quantities, terms.account))
    return { ok: false, reason: 'reserve-limit', of: 'account' };
  const taken = await takeStock(db, { orderId, network, isSecured, limited, terms });
  if (taken.length === 0) return { ok: false, reason: 'reserve-limit', of: 'network' };
  return { ok: true, isScarce: terms !== null && !isSecured && taken.some(isScarce) };
}

interface StockRequest extends Pick<ReservationRequest, 'orderId' | 'network' | 'isSecured'> {
  readonly limited: readonly StockQuantity[];
  readonly terms: ReservationTerms | null;
}

/** Takes the units unless the network has reserved too much; what is left of each, and what is reserved without a payment. */
async function takeStock(db: Db, { orderId, network, isSecured, limited, terms }: StockRequest) {
  const units = limited.reduce((sum, { quantity }) => sum + quantity, 0);
  const hasRoom =
    terms === null || network === null || isSecured
      ? sql`true`
      : sql`(select coalesce(sum(quantity), 0) + ${units} <= ${terms.network.units}
          from stock_holds where network = ${network} and not is_secured)
        and (select count(*) <= ${terms.network.products} from (
          select product_id from stock_holds where network = ${network} and not is_secured
          union select product_id from asked
        ) products)`;
  const { rows } = await sql<{ available: number; unpaid: number }>`
    with asked as (select * from ${toQuantityRows(limited)} asked),
    room as (select ${hasRoom} as is_left),
    taken as (
      update product_stock stock set available = stock.available - asked.quantity
      from asked, room
      where room.is_left and stock.product_id = asked.product_id and stock.available >= asked.quantity
      returning stock.product_id, stock.available, asked.quantity
    ),
    held as (
      insert into stock_holds (order_id, product_id, quantity, network, is_secured)
      select ${orderId}::uuid, product_id, quantity, ${network}::text, ${isSecured}::boolean from taken
    )
    select available, quantity + (
      select coalesce(sum(hold.quantity), 0)::integer from stock_holds hold
      where hold.product_id = taken.product_id and not hold.is_secured
    ) as unpaid from taken
  `.execute(db);
  return rows;
}

/** Notes that most of the amount of these orders was seen: what they reserve is theirs as long as they are open. */
export async function secureReservations(db: Db, orderIds: readonly string[]): Promise<void> {
  await sql`update stock_holds set is_secured = true
    where order_id = any(${orderIds}::uuid[]) and not is_secured`.execute(db);
}

export async function hasReservation(db: Db, orderId: string): Promise<boolean> {
  return (await sql`select from stock_holds where order_id = ${orderId} limit 1`.execute(db)).rows.length > 0;
}

/** Ends what orders hold back, however often it is asked; answers the units. */
export async function deleteReservations(db: Db, orderIds: readonly string[]): Promise<readonly StockQuantity[]> {
  const { rows } = await sql<StockQuantity>`
    delete from stock_holds where order_id = any(${orderIds}::uuid[]) returning product_id as "productId", quantity
  `.execute(db);
  return rows;
}

export async function addAvailable(db: Db, units: readonly StockQuantity[]): Promise<void> {
  const limited = await lockStock(db, units);
  if (limited.length === 0) return;
  await sql`
    update product_stock stock set available = stock.available + asked.quantity
    from ${toQuantityRows(limited)} asked where stock.product_id = asked.product_id
  `.execute(db);
}
