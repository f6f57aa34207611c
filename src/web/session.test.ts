import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { cartAdd } from './cart.ts';
import { loadCart, loadCheckout, loadOrder, session } from './session.ts';

interface Asked {
  readonly what: string;
  readonly answer: (body: unknown, status?: number) => Promise<void>;
}

const stored = new Map<string, string>();
let asked: Asked[] = [];

Object.defineProperty(globalThis, 'document', { value: { documentElement: { toggleAttribute: () => true } } });
Object.defineProperty(globalThis, 'window', { value: globalThis });
Object.defineProperty(globalThis, 'localStorage', {
  configurable: true,
  value: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  },
});
globalThis.fetch = (url, init) => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const answer = async (body: unknown, status = 200): Promise<void> => {
    resolve(Response.json(body, { status }));
    await settled();
  };
  asked.push({ what: `${init?.method ?? 'GET'} ${typeof url === 'string' ? url : ''}`, answer });
  return promise;
};

/** Until nothing is left to do but to wait for answers. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => void setImmediate(done));
}
const isAsked = (): string[] => asked.map(({ what }) => what);
const pending = (what: string): Asked => asked.find((one) => one.what === what) ?? assert.fail(isAsked().join());

const cartOf = (lines: number) => ({ cart_items: Array.from({ length: lines }, () => ({ product_id: 'x' })) });
const linesShown = (): number | undefined => session.get().cart?.cart_items.length;
const orderShown = (): string | undefined => session.get().order?.id;

beforeEach(() => {
  asked = [];
  stored.clear();
  session.update({ cart: null, cartWishes: [], order: null });
});

test('a cart that was asked for before a change never replaces the changed one', async () => {
  const load = loadCart();
  await settled();
  const add = cartAdd('x');
  await settled();
  assert.deepEqual(isAsked(), ['GET /api/cart', 'POST /api/cart/add']);
  const [early, change] = asked;
  await change?.answer(cartOf(1));
  await add;
  await early?.answer(cartOf(0));
  assert.equal(linesShown(), 1);
  assert.equal(stored.get('cart_mark')?.startsWith('1@'), true);
  await asked[2]?.answer(cartOf(1));
  await load;
  assert.equal(linesShown(), 1);
});

test('a cart that is asked for while it is changed is asked for after the change', async () => {
  const add = cartAdd('x');
  const load = loadCart();
  await settled();
  assert.deepEqual(isAsked(), ['POST /api/cart/add']);
  await asked[0]?.answer(cartOf(1));
  await pending('GET /api/cart').answer(cartOf(1));
  await Promise.all([add, load]);
  assert.equal(linesShown(), 1);
});

test('a cart that was asked for by somebody who has signed out is not shown to the guest', async () => {
  stored.set('apple_user_token', 'a');
  const load = loadCart();
  await settled();
  stored.delete('apple_user_token');
  await asked[0]?.answer(cartOf(3));
  assert.equal(linesShown(), undefined);
  await asked[1]?.answer(cartOf(0));
  await load;
  assert.equal(linesShown(), 0);
});

test('a refused token leaves the cart of a guest', async () => {
  stored.set('apple_user_token', 'a');
  const load = loadCart();
  await settled();
  stored.delete('apple_user_token');
  await asked[0]?.answer({ error: { code: 'unauthorized', message: 'Log in' } }, 401);
  await asked[1]?.answer(cartOf(2));
  await load;
  assert.equal(linesShown(), 2);
});

test('an order that was asked for before another one was taken over never replaces it', async () => {
  const loads = [loadOrder(), loadOrder()];
  await settled();
  const [early, late] = asked;
  await late?.answer({ order: { id: 'new' } });
  await early?.answer({ order: { id: 'old' } });
  assert.equal(orderShown(), 'new');
  await asked[2]?.answer({ order: { id: 'newest' } });
  await Promise.all(loads);
  assert.equal(orderShown(), 'newest');
});

for (const first of ['GET /api/cart', 'GET /api/orders']) {
  test(`[BILL-03] a cart that becomes an order is never shown empty without the order: ${first} is answered first`, async () => {
    await Promise.all([loadCart(), settled().then(() => pending('GET /api/cart').answer(cartOf(2)))]);
    asked = [];
    const load = loadCheckout();
    await settled();
    const answers = { 'GET /api/cart': cartOf(0), 'GET /api/orders': { order: { id: 'made' } } };
    for (const [what, body] of Object.entries(answers).toSorted(([name]) => (name === first ? -1 : 1))) {
      assert.deepEqual([linesShown(), orderShown()], [2, undefined]);
      await pending(what).answer(body);
    }
    await load;
    assert.deepEqual([linesShown(), orderShown()], [0, 'made']);
  });
}
