/** Thousands of mutated requests, generated from the contract. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import type { Contract } from '#src/platform/http/endpoint.ts';
import { shopApi } from '#src/shop/api.ts';
import { demoToolsApi } from '#src/shop/demo/contract.ts';
import './support/built-pages.ts';
import { createRequest } from './support/contract-fuzz.ts';
import { sendRawRequest } from './support/raw-call.ts';
import type { RawRequest } from './support/raw-call.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { BILLING } from './support/stress-buyer.ts';
import { assertResponse } from './support/assert-response.ts';

const ROUNDS = 500;
const AT_ONCE = 8;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function signIn(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}

/** Whether a mutated offset would end all sessions, and every later request would be refused. */
function movesFar(body: RawRequest['body']): boolean {
  const [, offset = '0'] = /"offset_s":(-?\d+)/.exec(String(body)) ?? [];
  return Math.abs(Number(offset)) > 60;
}

test('[API-00] [API-01] responds correctly to every mutated request of the contract', async (t) => {
  // The same requests each time; another seed mutates differently.
  const seed = Number(process.env['FUZZ_SEED'] ?? 20_091_031);
  t.diagnostic(`FUZZ_SEED=${seed} npm test fuzz`);
  const tokens = [await signIn('alice'), await signIn('bob'), await signIn('staff'), await signIn('owner')];
  const [token] = tokens;
  const product = listAt((await shop.api('GET', '/products?limit=1')).body)[0];
  const products = [textAt(product, 'id'), ...listAt(product, 'selected_property_values').map(String)];
  const adding = { body: { product_id: products[0], quantity: 1 }, token: token ?? '' };
  await shop.api('POST', '/cart/add', adding);
  const checkout = await shop.api('POST', '/cart/checkout', { body: BILLING, token: token ?? '' });
  const ids = [...products, textAt(checkout.body, 'order', 'id')];
  // Long chains and a clock that is a year off would change the rest of the run.
  const bounds = {
    'POST /dev/mine blocks': fc.integer({ min: 1, max: 2 }),
    'POST /dev/reorg depth': fc.integer({ min: 1, max: 3 }),
    'POST /dev/clock offset_s': fc.integer({ min: -60, max: 60 }),
  };
  const contract: Contract = { ...shopApi, ...demoToolsApi };
  // Logout would end the run's own sessions. A foreign token covers the call as well.
  const arbitraries = Object.entries(contract).map(([key, endpoint]) =>
    createRequest(key, endpoint, { ids, bounds, tokens: key === 'POST /users/logout' ? ['nobody'] : tokens }).filter(
      ({ body }) => key !== 'POST /dev/clock' || !movesFar(body),
    ),
  );
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...arbitraries), { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (requests) => {
        await Promise.all(
          requests.map(async (request) => {
            const response = await sendRawRequest(shop.url, request);
            assertResponse(response, JSON.stringify(request));
            statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          }),
        );
      },
    ),
    { seed, numRuns: ROUNDS },
  );
  const summary = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  t.diagnostic(`${ROUNDS * AT_ONCE} requests; ${summary.join(', ')}`);
  const least = (ROUNDS * AT_ONCE) / 20;
  assert.ok((statuses.get(200) ?? 0) > least && (statuses.get(400) ?? 0) > least, 'too few valid or invalid requests');

  await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  const me = await shop.api('GET', '/users/user', { token: token ?? '' });
  assert.deepEqual([valueAt(me.body, 'username'), valueAt(me.body, 'role')], ['alice', 'customer']);
  const { body } = await shop.api('GET', '/cart', { token: token ?? '' });
  for (const line of listAt(body, 'cart_items')) assert.equal(valueAt(line, 'isFree'), false);
  assert.doesNotMatch(shop.readOutput(), /unexpected error/);
});
