import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { TOKEN_KEY } from '#src/ui/browser-storage.ts';
import { setTokenRejectedHandler } from '../call.ts';
import { addToCart } from '../cart/cart.ts';
import { loadCart, loadCheckout, loadOrder, session, signIn, signOut } from './session.ts';

/** The test chooses when and in which order responses arrive. */
interface PendingRequest {
  readonly what: string;
  readonly token: string | null;
  readonly answer: (body: unknown, status?: number) => Promise<void>;
}

const stored = new Map<string, string>();
const requests: PendingRequest[] = [];

Object.defineProperty(globalThis, 'window', { value: {} });
Object.defineProperty(globalThis, 'document', {
  value: { cookie: '', documentElement: { toggleAttribute: () => true } },
});
Object.defineProperty(globalThis, 'localStorage', {
  configurable: true,
  value: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  },
});
globalThis.fetch = (url, init) =>
  new Promise((resolve) => {
    requests.push({
      what: `${init?.method ?? 'GET'} ${typeof url === 'string' ? url : ''}`,
      token: new Headers(init?.headers).get('authorization'),
      answer: async (body, status = 200) => {
        resolve(Response.json(body, { status }));
        await settled();
      },
    });
  });

/** Runs until only responses are pending. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => void setImmediate(done));
}

const cart = (...names: readonly string[]) => ({ cart_items: names.map((name) => ({ product_id: name })) });
const lines = () => session.get().cart?.cart_items.map((line) => line.product_id);
function at(index: number): PendingRequest {
  const request = requests[index];
  assert.ok(request, `request ${index} was not made: ${requests.map(({ what }) => what).join(', ')}`);
  return request;
}

beforeEach(() => {
  requests.length = 0;
  stored.clear();
  session.update({ isSignedIn: false, user: null, cart: null, optimisticUpdates: [], order: null });
});

test('[CART-05] requests the cart again when it changed during the request', async () => {
  const loaded = loadCart();
  await settled();
  const added = addToCart('phone');
  await settled();
  await at(1).answer(cart('phone'));
  assert.ok(await added);
  await at(0).answer(cart());
  assert.deepEqual(lines(), ['phone'], 'the added item stays visible meanwhile');
  assert.equal(at(2).what, 'GET /api/cart');
  await at(2).answer(cart('phone', 'watch'));
  await loaded;
  assert.deepEqual(lines(), ['phone', 'watch']);
  assert.equal(requests.length, 3);
});

test('does not replace a newer response by an older one', async () => {
  const both = [loadCart(), loadCart()];
  await settled();
  await at(1).answer(cart('phone'));
  await at(0).answer(cart());
  assert.deepEqual(lines(), ['phone']);
  await at(2).answer(cart('phone'));
  await Promise.all(both);
  assert.deepEqual(lines(), ['phone']);
});

test('requests an unchanged cart once', async () => {
  const loaded = loadCart();
  await settled();
  await at(0).answer(cart('phone'));
  await loaded;
  assert.equal(requests.length, 1);
});

test("[ACC-08] ignores an account's cart and order that arrive after logout", async () => {
  stored.set(TOKEN_KEY, 'old');
  session.update({ isSignedIn: true });
  const loaded = Promise.all([loadCart(), loadOrder()]);
  await settled();
  const over = signOut();
  await at(2).answer({});
  await over;
  assert.equal(at(3).token, null);
  await at(0).answer(cart('phone'));
  await at(1).answer({ order: { id: 'order' } });
  assert.equal(lines(), undefined);
  assert.equal(session.get().order, null);
  await at(3).answer(cart());
  await at(4).answer(cart());
  await at(5).answer(cart());
  await loaded;
  assert.deepEqual(lines(), []);
  assert.equal(session.get().order, null);
});

test("[ACC-11] ignores a guest's cart that arrives after login", async () => {
  const loaded = loadCart();
  await settled();
  const signedIn = signIn('ada', 'secret');
  await settled();
  await at(1).answer({ user: { id: 'ada' }, tokens: { accessToken: 'new' }, cart_preserved: true });
  const [order, cartOfAda] = [at(2), at(3)];
  assert.deepEqual([order.what, cartOfAda.what], ['GET /api/orders', 'GET /api/cart']);
  await cartOfAda.answer(cart('phone', 'watch'));
  await order.answer({ order: null });
  await signedIn;
  await at(0).answer(cart('phone'));
  assert.deepEqual(lines(), ['phone', 'watch']);
  assert.equal(at(4).token, 'Bearer new');
  await at(4).answer(cart('phone', 'watch'));
  await loaded;
  assert.deepEqual(lines(), ['phone', 'watch']);
});

test('[ACC-08] shows the guest cart when the token is invalid', async () => {
  stored.set(TOKEN_KEY, 'worthless');
  setTokenRejectedHandler(() => stored.delete(TOKEN_KEY));
  const loaded = loadCart();
  await settled();
  await at(0).answer({ error: { code: 'unauthenticated', message: 'x' } }, 401);
  assert.equal(at(1).token, null);
  await at(1).answer(cart('phone'));
  await loaded;
  assert.deepEqual(lines(), ['phone']);
});

test('[PAY-04] requests the order again when it changed during the request', async () => {
  stored.set(TOKEN_KEY, 'token');
  const both = [loadOrder(), loadOrder()];
  await settled();
  await at(1).answer({ order: { id: 'order', payment_status: 'user_paid' } });
  await at(0).answer({ order: { id: 'order', payment_status: 'pending' } });
  assert.equal(session.get().order?.payment_status, 'user_paid');
  await at(2).answer({ order: { id: 'order', payment_status: 'paid' } });
  await Promise.all(both);
  assert.equal(session.get().order?.payment_status, 'paid');
});

test('[CART-05] requests the cart after the change in progress', async () => {
  const both = [addToCart('phone'), loadCart()];
  await settled();
  assert.equal(requests.length, 1);
  await at(0).answer(cart('phone'));
  assert.equal(at(1).what, 'GET /api/cart');
  await at(1).answer(cart('phone'));
  await Promise.all(both);
  assert.deepEqual(lines(), ['phone']);
});

for (const first of ['GET /api/cart', 'GET /api/orders']) {
  test(`[BILL-03] never shows an emptied cart without its order: ${first} arrives first`, async () => {
    stored.set(TOKEN_KEY, 'token');
    const loaded = loadCart();
    await settled();
    await at(0).answer(cart('phone'));
    await loaded;
    const over = loadCheckout();
    await settled();
    const answers = requests.slice(1).toSorted((one) => (one.what === first ? -1 : 1));
    assert.equal(answers.length, 2);
    for (const one of answers) {
      assert.deepEqual([lines(), session.get().order], [['phone'], null]);
      await one.answer(one.what === 'GET /api/cart' ? cart() : { order: { id: 'made' } });
    }
    await over;
    assert.deepEqual([lines(), session.get().order?.id], [[], 'made']);
  });
}
