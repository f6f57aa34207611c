import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as browserStorage from '#src/ui/browser/browser-storage.ts';
import { TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';
import '../../../tests/support/own-process.ts';
import { setTokenRejectedHandler } from '../call.ts';
import { addToCart } from '../cart/cart.ts';
import { loadCart, loadCheckout, loadOrder, session, signIn, signOut } from './session.ts';

/** The test chooses when and in which order responses arrive. */
interface PendingRequest {
  readonly what: string;
  readonly token: string | null;
  readonly respond: (body: unknown, status?: number) => Promise<void>;
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
      respond: async (body, status = 200) => {
        resolve(Response.json(body, { status }));
        await flushPromises();
      },
    });
  });

/** Runs until only responses are pending. */
async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => void setImmediate(done));
}

const createCart = (...names: readonly string[]) => ({ cart_items: names.map((name) => ({ product_id: name })) });
const listLines = () => session.get().cart?.cart_items.map((line) => line.product_id);
/** A cart with a phone is shown; its request no longer counts. */
async function loadPhone(): Promise<void> {
  const loaded = loadCart();
  await flushPromises();
  await getRequest(0).respond(createCart('phone'));
  await loaded;
  requests.length = 0;
}
function getRequest(index: number): PendingRequest {
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
  await flushPromises();
  const added = addToCart('phone');
  await flushPromises();
  await getRequest(1).respond(createCart('phone'));
  assert.ok(await added);
  await getRequest(0).respond(createCart());
  assert.deepEqual(listLines(), ['phone'], 'the added item stays visible meanwhile');
  assert.equal(getRequest(2).what, 'GET /api/cart');
  await getRequest(2).respond(createCart('phone', 'watch'));
  await loaded;
  assert.deepEqual(listLines(), ['phone', 'watch']);
  assert.equal(requests.length, 3);
});

test('does not replace a newer response by an older one', async () => {
  const both = [loadCart(), loadCart()];
  await flushPromises();
  await getRequest(1).respond(createCart('phone'));
  await getRequest(0).respond(createCart());
  assert.deepEqual(listLines(), ['phone']);
  await getRequest(2).respond(createCart('phone'));
  await Promise.all(both);
  assert.deepEqual(listLines(), ['phone']);
});

test('requests an unchanged cart once', async () => {
  const loaded = loadCart();
  await flushPromises();
  await getRequest(0).respond(createCart('phone'));
  await loaded;
  assert.equal(requests.length, 1);
});

test("[ACC-08] ignores an account's cart and order that arrive after logout", async () => {
  stored.set(TOKEN_KEY, 'old');
  session.update({ isSignedIn: true });
  const loaded = Promise.all([loadCart(), loadOrder()]);
  await flushPromises();
  const over = signOut();
  await getRequest(2).respond({});
  await over;
  assert.equal(getRequest(3).token, null);
  await getRequest(0).respond(createCart('phone'));
  await getRequest(1).respond({ order: { id: 'order' } });
  assert.equal(listLines(), undefined);
  assert.equal(session.get().order, null);
  await getRequest(3).respond(createCart());
  await getRequest(4).respond(createCart());
  await getRequest(5).respond(createCart());
  await loaded;
  assert.deepEqual(listLines(), []);
  assert.equal(session.get().order, null);
});

test("[ACC-11] ignores a guest's cart that arrives after login", async () => {
  const loaded = loadCart();
  await flushPromises();
  const signedIn = signIn('ada', 'secret');
  await flushPromises();
  await getRequest(1).respond({ user: { id: 'ada' }, tokens: { accessToken: 'new' }, cart_preserved: true });
  await getRequest(2).respond({ order: null });
  assert.deepEqual([getRequest(2).what, getRequest(3).what], ['GET /api/orders', 'GET /api/cart']);
  await getRequest(3).respond(createCart('phone', 'watch'));
  await signedIn;
  await getRequest(0).respond(createCart('phone'));
  assert.deepEqual(listLines(), ['phone', 'watch']);
  assert.equal(getRequest(4).token, 'Bearer new');
  await getRequest(4).respond(createCart('phone', 'watch'));
  await loaded;
  assert.deepEqual(listLines(), ['phone', 'watch']);
});

test('[ACC-08] shows the guest cart when the token is invalid', async () => {
  stored.set(TOKEN_KEY, 'worthless');
  setTokenRejectedHandler(() => stored.delete(TOKEN_KEY));
  const loaded = loadCart();
  await flushPromises();
  await getRequest(0).respond({ error: { code: 'unauthenticated', message: 'x' } }, 401);
  assert.equal(getRequest(1).token, null);
  await getRequest(1).respond(createCart('phone'));
  await loaded;
  assert.deepEqual(listLines(), ['phone']);
});

test('[PAY-04] requests the order again when it changed during the request', async () => {
  stored.set(TOKEN_KEY, 'token');
  const both = [loadOrder(), loadOrder()];
  await flushPromises();
  await getRequest(1).respond({ order: { id: 'order', payment_status: 'user_paid' } });
  await getRequest(0).respond({ order: { id: 'order', payment_status: 'pending' } });
  assert.equal(session.get().order?.payment_status, 'user_paid');
  await getRequest(2).respond({ order: { id: 'order', payment_status: 'paid' } });
  await Promise.all(both);
  assert.equal(session.get().order?.payment_status, 'paid');
});

test('[CART-05] requests the cart after the change in progress', async () => {
  const both = [addToCart('phone'), loadCart()];
  await flushPromises();
  assert.equal(requests.length, 1);
  await getRequest(0).respond(createCart('phone'));
  assert.equal(getRequest(1).what, 'GET /api/cart');
  await getRequest(1).respond(createCart('phone'));
  await Promise.all(both);
  assert.deepEqual(listLines(), ['phone']);
});

test('[BILL-03] never shows an emptied cart without its order', async () => {
  stored.set(TOKEN_KEY, 'token');
  await loadPhone();
  const over = loadCheckout();
  await flushPromises();
  await getRequest(0).respond({ order: { id: 'made' } });
  assert.deepEqual([listLines(), session.get().order], [['phone'], null]);
  await getRequest(1).respond(createCart());
  await over;
  assert.deepEqual([listLines(), session.get().order?.id], [[], 'made']);
});

test('[PAY-11] reads the cart after the order, so a cancellation in between loses no line', async () => {
  stored.set(TOKEN_KEY, 'token');
  const over = loadCheckout();
  await flushPromises();
  assert.deepEqual(
    requests.map(({ what }) => what),
    ['GET /api/orders'],
  );
  await getRequest(0).respond({ order: null });
  assert.equal(getRequest(1).what, 'GET /api/cart');
  await getRequest(1).respond(createCart('phone'));
  await over;
  assert.deepEqual([listLines(), session.get().order], [['phone'], null]);
});

test('[BILL-03] reads the order again if the cart was emptied after the order was read', async () => {
  stored.set(TOKEN_KEY, 'token');
  await loadPhone();
  const over = loadCheckout();
  await flushPromises();
  await getRequest(0).respond({ order: null });
  await getRequest(1).respond(createCart());
  assert.equal(getRequest(2).what, 'GET /api/orders');
  await getRequest(2).respond({ order: { id: 'made' } });
  await over;
  assert.deepEqual([listLines(), session.get().order?.id], [[], 'made']);
});

/** They say nothing about the customer. */
const KEPT: readonly string[] = [
  // Where the browser's visitors have goods delivered, chosen without an account too.
  browserStorage.DELIVERY_KEY,
  // A time, valid for seconds.
  browserStorage.CART_CHANGING_KEY,
];

test('[ACC-08] logging out removes all that this browser stored about the customer', async () => {
  for (const [name, key] of Object.entries(browserStorage)) {
    if (name.endsWith('_KEY') && typeof key === 'string') stored.set(key, 'stored');
  }
  assert.ok(stored.size > KEPT.length + 3);
  const signedOut = signOut();
  await flushPromises();
  await getRequest(0).respond({ message: 'success' });
  await signedOut;
  assert.deepEqual([...stored.keys()].toSorted(), KEPT.toSorted());
});
