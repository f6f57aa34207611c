/** Each maximum count of stored things: the last one is stored, and one more is refused. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import { ABSENT_ID } from './support/access-callers.ts';
import type { ApiResponse } from './support/api-client.ts';
import { silentLog } from './support/database.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createCapContext, STORED_CAPS } from './support/stored-caps.ts';
import type { CapContext } from './support/stored-caps.ts';

let shop: TestShop;
let database: Database;
let context: CapContext;
before(async () => {
  shop = await startTestShop();
  database = openDatabase({ connection: await shop.getConnection(), log: silentLog, poolSize: 1 });
  context = await createCapContext(shop, database.db);
});
after(async () => {
  await database.close();
  await shop.stop();
});

const readError = ({ status, body }: ApiResponse): string =>
  status < 300 ? String(status) : `${status} ${textAt(body, 'error', 'code')}`;

for (const [title, { max, refusal, fill, add }] of Object.entries(STORED_CAPS)) {
  test(title, async () => {
    await fill(context, max - 1);
    const last = await add(context, 0);
    assert.ok(last.status < 300, `${title}: ${JSON.stringify(last.body)}`);
    assert.equal(readError(await add(context, 1)), refusal);
  });
}

test('[OPS-02] a bulk edit changes at most 500 matching products', async () => {
  const { rows } = await sql<{ id: string }>`insert into brands (id, name, slug)
    values (gen_random_uuid(), 'Capped', 'capped') returning id`.execute(database.db);
  const brand = rows[0]?.id;
  const insert = (first: number, last: number) =>
    sql`
    insert into products (id, name, slug, article, category_id, brand_id, base_price_cents, description,
      sub_description, specifications, images, main_image)
    select gen_random_uuid(), 'Capped', 'capped-' || number, 'CAPPED-' || number, category_id, ${brand}, 100, '', '',
      '{}', '{}', '' from products, generate_series(${first}::integer, ${last}::integer) number
    where products.id = ${context.product}`.execute(database.db);
  const preview = async (): Promise<string> => {
    const body = { filter: { brand }, change: { kind: 'withdraw' } };
    return readError(await shop.api('POST', '/catalogue/bulk-edits/preview', { token: context.manager.token, body }));
  };
  await insert(1, 500);
  assert.equal(await preview(), '200');
  await insert(501, 501);
  assert.equal(await preview(), '409 too-many');
});

test('[API-02] [OPS-13] lists of ids in a query have a maximum length', async () => {
  const { manager } = context;
  const read = async (path: string, count: number): Promise<string> => {
    const ids = Array.from({ length: count }, (_, index) => ABSENT_ID.slice(0, -2) + String(index + 10)).join(',');
    return readError(await shop.api('GET', `${path}?ids=${ids}`, { token: manager.token }));
  };
  assert.deepEqual([await read('/product-cards', 8), await read('/product-cards', 9)], ['200', '400 invalid']);
  const orders = '/support/fulfilment';
  assert.deepEqual([await read(orders, 50), await read(orders, 51)], ['200', '400 invalid']);
});
