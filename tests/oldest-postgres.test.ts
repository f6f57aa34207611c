/** The shop on an external PostgreSQL: the oldest supported release, and one that is too old. */
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { MIN_POSTGRES_VERSION } from '#src/platform/database/server-version.ts';
import { createTestDatabase } from './support/database.ts';
import { findOldestPostgresPrograms, startOwnPostgres } from './support/debian-postgres.ts';
import { assertRefused, startUntilEnd } from './support/operator.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import { BILLING } from './support/stress-buyer.ts';

const programs = findOldestPostgresPrograms();
const skip =
  programs === null ? `needs PostgreSQL ${MIN_POSTGRES_VERSION} (Debian 12: postgresql-15, or POSTGRES_BIN)` : false;

test('an order is placed and paid on the oldest supported PostgreSQL', { skip }, async (context) => {
  const postgres = await startOwnPostgres(programs ?? '');
  context.after(() => postgres.stop());
  const shop = await startTestShop({ fresh: true, settings: { DATABASE_URL: postgres.url } });
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

/** The tests' server, reporting release 14.19. */
async function startOldServer(host: string, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer((shop) => {
    const behind = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    for (const socket of [shop, behind]) {
      socket.on('error', () => {
        shop.destroy();
        behind.destroy();
      });
    }
    shop.pipe(behind);
    behind.on('data', (chunk) => {
      const text = chunk.toString('latin1').replaceAll(/1[5-9]\d{4}(?=C\0)/g, '140019');
      shop.write(Buffer.from(text, 'latin1'));
    });
    behind.on('end', () => shop.end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port };
}

test('a PostgreSQL that is too old is refused in one line', async (context) => {
  const { connection } = await createTestDatabase();
  const { user, password, database } = connection;
  const old = await startOldServer(connection.host, connection.port);
  context.after(() => old.server.close());
  const login = [user, password].map(encodeURIComponent).join(':');
  const refused = await startUntilEnd({ DATABASE_URL: `postgres://${login}@127.0.0.1:${old.port}/${database}` });
  assertRefused(refused, /^DATABASE_URL: this is PostgreSQL 14\.19; the shop needs 15 or newer .+\.$/);
});
