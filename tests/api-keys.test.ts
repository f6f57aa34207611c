/** API keys over HTTP: validity, limits, last use and the audit log. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listEventTypes, TEST_EVENT_TYPE } from '#src/shop/webhooks/events/event-type.ts';
import './support/own-process.ts';
import { createApiKey, getOwnerToken } from './support/api-key.ts';
import { keysAt, listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { TypedClient } from './support/typed-client.ts';

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on', API_KEY_CALLS_PER_MINUTE: '8', LOG_LEVEL: 'debug' } });
  owner = await getOwnerToken(shop);
});
after(() => shop.stop());

const list = (key: string) => shop.api('GET', '/inventory', { token: key, password: null });
const change = (statement: ReturnType<typeof sql>) => runWithShopDatabase(shop, (db) => statement.execute(db));

test('[OPS-19] unknown, expired, revoked and orphaned keys get the same 401', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => createApiKey(shop, owner, ['inventory:read'])));
  const [valid, expired, revoked] = keys;
  assert.ok(valid && expired && revoked);
  assert.equal((await list(valid.key)).status, 200);
  await change(sql`update api_keys set expires_at = now() - interval '1 second' where id = ${expired.id}`);
  assert.equal((await shop.api('DELETE', `/api-keys/${revoked.id}`, { token: owner })).status, 200);
  assert.equal((await shop.api('DELETE', `/api-keys/${revoked.id}`, { token: owner })).status, 404);
  const unknown = `${valid.key.slice(0, -1)}${valid.key.endsWith('0') ? '1' : '0'}`;
  const refused = await Promise.all([expired.key, revoked.key, unknown, 'cmk_demo_x'].map(list));
  for (const { status, body } of refused) {
    assert.equal(status, 401);
    assert.deepEqual(body, refused[0]?.body);
  }
  await change(sql`update users set role = 'manager' where username = 'owner'`);
  assert.deepEqual((await list(valid.key)).body, refused[0]?.body);
  await change(sql`update users set role = 'owner' where username = 'owner'`);
  assert.equal((await list(valid.key)).status, 200);
});

test('[OPS-19] the database has only the hash, and the log no key', async () => {
  const { id, key } = await createApiKey(shop, owner, ['inventory:read']);
  await list(key);
  const row = await runWithShopDatabase(
    shop,
    async (db) =>
      (await sql<{ text: string }>`select to_jsonb(k)::text as text from api_keys k where id = ${id}`.execute(db))
        .rows[0],
  );
  assert.ok(row && !row.text.includes(key.slice(9, 40)));
  assert.ok(!shop.readOutput().includes(key.slice(9, 40)));
  const shown = await shop.api('GET', '/api-keys', { token: owner });
  assert.ok(!JSON.stringify(shown.body).includes(key.slice(9, 40)));
});

test('[OPS-19] a change with a key names the key in the audit log', async () => {
  const { id, key } = await createApiKey(shop, owner, ['inventory:read', 'inventory:write']);
  const [variant] = listAt((await list(key)).body, 'variants');
  const variantId = textAt(variant, 'variant_id');
  const body = { of: 'available', quantity: 12, seen: valueAt(variant, 'available'), reason: 'counted' };
  const adjusted = await shop.api('PUT', `/inventory/${variantId}`, { token: key, body });
  assert.equal(adjusted.status, 200, JSON.stringify(adjusted.body));
  const log = await shop.api('GET', `/support/audit?actor=${id}`, { token: owner });
  const [entry] = listAt(log.body, 'entries');
  assert.equal(valueAt(entry, 'actor'), 'API key ERP');
  assert.equal(textAt(entry, 'subject', 'id'), variantId);
  const ofKeys = await shop.api('GET', '/support/audit?actor=api-key', { token: owner });
  assert.equal(valueAt(ofKeys.body, 'total'), valueAt(log.body, 'total'));
});

test('[OPS-19] each key has its own limit of calls', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => createApiKey(shop, owner, ['inventory:read'])));
  assert.ok(first && second);
  const statuses = [];
  for (let calls = 0; calls < 9; calls += 1) statuses.push((await list(first.key)).status);
  assert.deepEqual(statuses, [...Array.from({ length: 8 }, () => 200), 429]);
  assert.match((await list(first.key)).headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal((await list(second.key)).status, 200);
  assert.equal((await list(owner)).status, 200);
});

test('[OPS-19] the last use is written at most once a minute', async () => {
  const { id, key } = await createApiKey(shop, owner, ['inventory:read']);
  const read = () =>
    runWithShopDatabase(shop, async (db) => {
      const { rows } = await sql<{ at: Date | null }>`select last_used_at as at from api_keys where id = ${id}`.execute(
        db,
      );
      return rows[0]?.at?.getTime() ?? null;
    });
  assert.equal(await read(), null);
  await list(key);
  const used = await read();
  assert.notEqual(used, null);
  await list(key);
  assert.equal(await read(), used);
  await change(sql`update api_keys set last_used_at = now() - interval '2 minutes' where id = ${id}`);
  await list(key);
  assert.ok(Number(await read()) >= Number(used));
});

const PROGRAM = `
import { send } from './client.ts';
import type { Event } from './client.ts';
const [shop = '', key = ''] = process.argv.slice(2);
const { variants } = await send(shop, key, 'GET /inventory');
const [variant] = variants;
if (variant === undefined) throw new Error('there are no variants');
const params = { variant_id: variant.variant_id };
const counted = { of: 'available', quantity: 7, seen: variant.available, reason: 'counted' } as const;
await send(shop, key, 'PUT /inventory/{variant_id}', params, counted);
export const describe = (event: Event): string => {
  if (event.type === 'order.paid') return \`\${event.data.order.number}: \${event.data.order.total_usd_after.toFixed(2)}\`;
  return event.type === 'stock.low' ? event.data.variant.sku : event.type;
};
console.log(variants.length > 0 ? 'done' : 'empty');
`;

test('[OPS-19] a client generated from OpenAPI compiles and works', async () => {
  const { key } = await createApiKey(shop, owner, ['inventory:read', 'inventory:write']);
  const client = await TypedClient.generate((await shop.api('GET', '/openapi.json')).body);
  try {
    const wrong = PROGRAM.replace('variant.variant_id', 'variant.variant_number')
      .replace("'counted'", "'borrowed'")
      .replace('order.number', 'order.customer');
    const errors = await client.check(wrong);
    for (const name of [/variant_number/, /borrowed/, /customer/]) assert.match(errors, name);
    assert.equal(await client.check(PROGRAM), '');
    assert.equal(await client.run([shop.url, key]), 'done');
  } finally {
    await client.remove();
  }
});

test('[OPS-19] OpenAPI names the scope of each call and every event', async () => {
  const { body } = await shop.api('GET', '/openapi.json');
  assert.deepEqual(valueAt(body, 'paths', '/support/orders', 'get', 'security'), [
    { bearer: [] },
    { apiKey: ['orders:read'] },
  ]);
  assert.deepEqual(valueAt(body, 'paths', '/staff/role', 'put', 'security'), [{ bearer: [] }]);
  assert.deepEqual(keysAt(body, 'webhooks').toSorted(), [...listEventTypes(), TEST_EVENT_TYPE].toSorted());
});
