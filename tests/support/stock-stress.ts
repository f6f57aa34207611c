/** Stress test of little stock: many buyers order concurrently over HTTP. */
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { setProductStock } from './add-variants.ts';
import { silentLog } from './database-server.ts';
import { listAt, textAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';
import { BILLING } from './stress-buyer.ts';

/** Runs on the shop's own database while the shop runs. */
export async function runWithShopDatabase<T>(
  shop: Pick<TestShop, 'getConnection'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ connection: await shop.getConnection(), log: silentLog, poolSize: 1 });
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

/** Sets the stock of each variant of a product. */
export async function setStock(shop: TestShop, productId: string, available: number): Promise<void> {
  await runWithShopDatabase(shop, (db) => setProductStock(db, productId, available));
}

export interface StockLeft {
  readonly available: number;
  readonly held: number;
}

/** Stock of the first variant of a product, and the reservations of all. */
export async function readStock(shop: TestShop, productId: string): Promise<StockLeft> {
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<StockLeft>`select available,
        (select coalesce(sum(quantity), 0)::integer
          from stock_holds hold join product_variants on id = hold.variant_id where product_id = ${productId}) as held
      from variant_stock join product_variants on id = variant_id
      where product_id = ${productId} order by position limit 1`.execute(db),
  );
  const [row] = rows;
  if (!row) throw new Error('the product has no stock');
  return row;
}

/** A signed-in buyer with one product in the cart; returns its token. */
export async function createStockBuyer(
  shop: Pick<TestShop, 'api'>,
  username: string,
  productId: string,
): Promise<string> {
  const account = { username, password: 'crypto-market' };
  await shop.api('POST', '/users/register', { body: { ...account, email: `${username}@stock.example` } });
  const signedIn = await shop.api('POST', '/users/login', { body: account });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  await shop.api('POST', '/cart/add', { token, body: { product_id: productId, quantity: 1 } });
  return token;
}

export interface StockStressReport {
  readonly made: number;
  /** How often each refusal occurred: status, code and message. */
  readonly refused: ReadonlyMap<string, number>;
  readonly left: StockLeft;
  /** Number of unchanged carts. */
  readonly fullCarts: number;
  readonly milliseconds: number;
}

/** Number of concurrent buyers, and the stock. */
export async function stressStock(shop: TestShop, buyers: number, units: number): Promise<StockStressReport> {
  const productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  const tokens: string[] = [];
  for (let index = 0; index < buyers; index += 1)
    tokens.push(await createStockBuyer(shop, `stock-${index}`, productId));
  await setStock(shop, productId, units);
  const began = performance.now();
  const checkout = (token: string): Promise<ApiResponse> =>
    shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const responses = await Promise.all(tokens.map(checkout));
  const milliseconds = Math.round(performance.now() - began);
  const refused = new Map<string, number>();
  for (const { status, body } of responses) {
    if (status === 201) continue;
    const why = `${status} ${textAt(body, 'error', 'code')}: ${textAt(body, 'error', 'message')}`;
    refused.set(why, (refused.get(why) ?? 0) + 1);
  }
  const carts = await Promise.all(tokens.map((token) => shop.api('GET', '/cart', { token })));
  return {
    made: responses.filter(({ status }) => status === 201).length,
    refused,
    left: await readStock(shop, productId),
    fullCarts: carts.filter(({ body }) => listAt(body, 'cart_items').length === 1).length,
    milliseconds,
  };
}
