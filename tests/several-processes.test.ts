/** Two processes on one database: their limits, and their rate, also after both were killed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import { FakeExchanges, respondNever } from './support/fake-exchanges.ts';
import { findFirstProduct } from './support/new-order.ts';
import { numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { createApiClient } from './support/api-client.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const market = new FakeExchanges();
const begin = performance.now();
/** An exchange is queried at most this often. */
const SHORTEST_INTERVAL_MS = 24_000;
let settings: Readonly<Record<string, string>>;
let first: SpawnedShop;
let second: ShopProcess;

before(async () => {
  await market.open();
  market.setBehaviour(market.respondWithPrice('100000.00'));
  const RATE_URLS = `kraken=${market.origin}/kraken gemini=${market.origin}/gemini`;
  settings = { RATE_SOURCE: 'live', RATE_URLS, RATE_SPREAD: '0.5', RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  first = await startSpawnedShop({ settings });
  second = await startSecondProcess(first, settings);
});
after(async () => {
  await second.kill9();
  await first.stop();
  market.close();
});

const readReadiness = async (url: string): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
const readRates = (): Promise<unknown[]> =>
  Promise.all([first.url, second.url].map(async (url) => (await createApiClient(url)('GET', '/rate')).body));
/** As if the last rate had been received so much earlier. */
const ageRate = (minutes: number): Promise<unknown> =>
  runWithShopDatabase(first, (db) =>
    sql`update last_rate set heard_at = clock_timestamp() - ${minutes} * interval '1 minute'`.execute(db),
  );

test('[OPS-23] one process queries the exchanges, and all have its rate', async () => {
  const [ofFirst, ofSecond] = await readRates();
  assert.deepEqual([valueAt(ofFirst, 'rate_usd'), valueAt(ofFirst, 'state')], [99_500, 'current']);
  assert.deepEqual(ofSecond, ofFirst);
  const rounds = 1 + Math.floor((performance.now() - begin) / SHORTEST_INTERVAL_MS);
  assert.ok(market.queried.length <= 2 * rounds, `${market.queried.join(' ')} in ${rounds} rounds`);
  // A rate of the leader reaches both.
  market.setBehaviour(respondNever);
  await runWithShopDatabase(first, (db) =>
    sql`update last_rate set median_cents = 11000000, shown_cents = 11000000, heard_at = clock_timestamp()`.execute(db),
  );
  await waitUntil(async () => (await readRates()).every((body) => numberAt(body, 'rate_usd') === 109_450));
});

/** Makes calls in turn to both processes and returns their statuses. */
async function callInTurn(path: string, bodies: readonly object[], headers: Record<string, string>): Promise<number[]> {
  const statuses: number[] = [];
  for (const [index, body] of bodies.entries()) {
    const { url } = index % 2 === 0 ? first : second;
    statuses.push((await createApiClient(url)('POST', path, { body, headers })).status);
  }
  return statuses;
}

test('[OPS-23] guesses of a password count in all processes together', async () => {
  const guesses = Array.from({ length: 8 }, (_, index) => ({ username: 'bob', password: `a wrong guess ${index}` }));
  const statuses = await callInTurn('/users/login', guesses, { 'x-forwarded-for': '192.0.2.1' });
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429]);
});

test('[OPS-23] messages of an address count in all processes together', async () => {
  const sender = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const messages = Array.from({ length: 7 }, (_, index) => ({ ...sender, message: `Question ${index}` }));
  const statuses = await callInTurn('/contact', messages, { 'x-forwarded-for': '192.0.2.2' });
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429]);
});

test('[OPS-23] another process queries the exchanges when the leader is killed', async () => {
  market.queried = [];
  market.setBehaviour(market.respondWithPrice('120000.00'));
  await first.kill9();
  await waitUntil(async () => {
    const { body } = await createApiClient(second.url)('GET', '/rate');
    return numberAt(body, 'rate_usd') === 119_400;
  });
  assert.ok(market.queried.length > 0);
});

test('[OPS-23] sells at the last rate after all processes were killed, by its own age', async () => {
  market.setBehaviour(respondNever);
  await second.kill9();
  await ageRate(30);
  await first.restart();
  second = await startSecondProcess(first, settings);
  for (const { url } of [first, second]) {
    const ready = await readReadiness(url);
    assert.equal(textAt(ready, 'rate'), 'delayed');
    const age = numberAt(ready, 'rate_age_s');
    assert.ok(age >= 1800 && age < 1800 + 600, `${age} s`);
  }
  const token = await createStockBuyer(first, 'late', await findFirstProduct(first));
  const placed = await createApiClient(second.url)('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const { body } = await first.api('GET', `/orders/${textAt(placed.body, 'order', 'id')}/timeline`, { token });
  assert.equal(numberAt(body, 'rate_usd'), 118_200, 'half a percent of the spread and one of the age');
});

test('[OPS-23] refuses checkouts in all processes when the last rate is too old', async () => {
  market.setBehaviour(respondNever);
  const token = await createStockBuyer(first, 'too-late', await findFirstProduct(first));
  await second.kill9();
  await first.kill9();
  await ageRate(61);
  await first.restart();
  second = await startSecondProcess(first, settings);
  for (const { url } of [first, second]) {
    const ready = await readReadiness(url);
    assert.equal(textAt(ready, 'rate'), 'none');
    assert.ok(numberAt(ready, 'rate_age_s') >= 3660);
    const refused = await createApiClient(url)('POST', '/cart/checkout', { token, body: BILLING });
    assert.deepEqual([refused.status, valueAt(refused.body, 'error', 'code')], [503, 'no-rate']);
    assert.equal(
      textAt(refused.body, 'error', 'message'),
      'No bitcoin price is available right now. Try again in a minute',
    );
  }
});
