/** The shop on an external PostgreSQL: the oldest supported release, and one that is too old. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIN_POSTGRES_VERSION } from '#src/platform/database/server-version.ts';
import './support/built-pages.ts';
import { createTestDatabase } from './support/database.ts';
import { DatabaseProxy } from './support/database-proxy.ts';
import { findOldestPostgresPrograms, startOwnPostgres } from './support/debian-postgres.ts';
import { assertRefused, startUntilEnd } from './support/operator.ts';
import { textAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import { BILLING } from './support/stress-buyer.ts';

const programs = findOldestPostgresPrograms();
const skip =
  programs === null ? `needs PostgreSQL ${MIN_POSTGRES_VERSION} (Debian 12: postgresql-15, or POSTGRES_BIN)` : false;

test('an order is placed and paid on the oldest supported PostgreSQL', { skip }, async (context) => {
  const postgres = await startOwnPostgres(programs ?? '');
  context.after(() => postgres.stop());
  const shop = await startSpawnedShop({ fresh: true, settings: { DATABASE_URL: postgres.url } });
  try {
    const credentials = { username: 'ada', password: 'correct horse battery' };
    await shop.api('POST', '/users/register', { body: { ...credentials, email: 'ada@example.com' } });
    const signedIn = await shop.api('POST', '/users/login', { body: credentials });
    const token = textAt(signedIn.body, 'tokens', 'accessToken');
    const product = textAt((await shop.api('GET', '/products?limit=1&q=iphone')).body, 0, 'id');
    await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
    const checkout = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
    const id = textAt(checkout.body, 'order', 'id');
    await shop.api('POST', '/dev/pay', { body: { order_id: id } });
    await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
    const { body } = await shop.api('GET', `/orders/${id}`, { token });
    assert.equal(textAt(body, 'order', 'payment_status'), 'paid');
    assert.doesNotMatch(shop.readOutput(), /"level":"error"/);
    const ready: unknown = await (await fetch(`${shop.url}/readyz`)).json();
    assert.equal(textAt(ready, 'database'), 'ready');
    assert.equal(textAt(ready, 'disk'), 'unknown');
  } finally {
    await shop.stop();
  }
});

test('a PostgreSQL that is too old is refused in one line', async (context) => {
  const { connection } = await createTestDatabase();
  const old = await DatabaseProxy.open(connection, { version: '140019' });
  context.after(() => old.close());
  const refused = await startUntilEnd({ DATABASE_URL: old.url });
  assertRefused(refused, /^DATABASE_URL: this is PostgreSQL 14\.19; the shop needs 15 or newer .+\.$/);
});
