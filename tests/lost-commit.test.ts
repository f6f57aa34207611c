/** The connection to the database is lost while an order is committed. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import { CommitCutter } from './support/commit-cutter.ts';
import type { Cut } from './support/commit-cutter.ts';
import { createTestDatabase } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { textAt } from './support/read-json.ts';
import { createApiClient } from './support/api-client.ts';
import type { ApiResponse } from './support/api-client.ts';
import { startShopProcess } from './support/shop-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makeTemporaryDirectory } from './support/template.ts';

const dataDir = makeTemporaryDirectory();
let database: TestDatabase;
let cutter: CommitCutter;
let shop: ShopProcess;
let api: ReturnType<typeof createApiClient>;
let product: string;

before(async () => {
  database = await createTestDatabase();
  cutter = await CommitCutter.open(database.connection);
  shop = await startShopProcess(dataDir, { DATABASE_URL: cutter.url });
  api = createApiClient(shop.url);
  product = textAt((await api('GET', '/products?limit=1')).body, 0, 'id');
});
after(async () => {
  await shop?.kill9();
  await cutter?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const countOrders = async (username: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from orders join users on users.id = orders.user_id where username = ${username}
  `.execute(database.db);
  return rows[0]?.count ?? -1;
};

for (const [cut, title, stored] of [
  ['after', 'the response to a commit', 1],
  ['before', 'the commit', 0],
] as const satisfies readonly (readonly [Cut, string, number])[]) {
  test(`[OPS-24] a lost connection before ${title} gives 503, and the repeat one order`, async () => {
    const username = `cut-${cut}`;
    const token = await createStockBuyer({ api }, username, product);
    const headers = { 'idempotency-key': username };
    const checkOut = (): Promise<ApiResponse> => api('POST', '/cart/checkout', { token, body: BILLING, headers });
    cutter.cutNext(cut);
    const lost = await checkOut();
    assert.equal(cutter.cuts, stored === 1 ? 1 : 2);
    assert.equal(lost.status, 503, JSON.stringify(lost.body));
    assert.equal(lost.headers.get('retry-after'), '2');
    assert.equal(textAt(lost.body, 'error', 'code'), 'unavailable');
    assert.equal(await countOrders(username), stored, 'not repeated by the shop');

    const repeated = await checkOut();
    assert.equal(repeated.status, 201, JSON.stringify(repeated.body));
    const again = await checkOut();
    assert.deepEqual(again.body, repeated.body);
    assert.equal(await countOrders(username), 1);
  });
}
