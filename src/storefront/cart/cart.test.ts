import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Cart } from '#src/shop/cart/contract.ts';
import '../../../tests/support/own-process.ts';
import { addToCart, updateCartLine, getQuantityInCart } from './cart.ts';
import { session } from '../session/session.ts';

const PHONE = '01890000-0000-7000-8000-000000000001';
const stored = new Map<string, string>();
const requests: { method: string; url: string; quantity: number | null }[] = [];
let createResponse: (quantity: number) => Response;

Object.defineProperty(globalThis, 'document', { value: { documentElement: { toggleAttribute: () => true } } });
Object.defineProperty(globalThis, 'localStorage', {
  configurable: true,
  value: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  },
});
globalThis.fetch = (url, init) => {
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
  const quantity = typeof body === 'object' && body !== null && 'quantity' in body ? Number(body.quantity) : null;
  requests.push({ method: init?.method ?? 'GET', url: typeof url === 'string' ? url : '', quantity });
  return Promise.resolve(createResponse(quantity ?? 0));
};

function createCart(quantity: number): Cart {
  const product = { name: 'Phone', slug: 'phone', sub_description: '', main_image: '/images/phone.avif' };
  const line = {
    product_id: PHONE,
    price_usd: 1,
    price_btc: 1,
    total_usd: quantity,
    total_btc: quantity,
    was_price_usd: null,
    lowest_price_30_days_usd: null,
    max_quantity: 99,
    isFree: false,
    product,
    property_value_ids: [],
    sku: null,
    notices: [],
  };
  return {
    has_guest_cart: quantity > 0,
    cart_items: quantity > 0 ? [{ ...line, quantity }] : [],
    appliedPromoCode: null,
    promoError: null,
    totalCartValue: quantity,
    totalBtcValue: quantity,
    discount: 0,
    suggestedPromo: null,
    subtotal_usd: quantity,
    subtotal_btc: quantity,
    discount_usd: 0,
    discount_btc: 0,
    delivery: null,
  };
}

const getShownQuantity = (): number => getQuantityInCart(session.get(), PHONE);

beforeEach(() => {
  requests.length = 0;
  stored.clear();
  session.update({ cart: createCart(0), optimisticUpdates: [], isCartLoading: false, hasCartFailed: false });
  createResponse = (quantity) => Response.json(createCart(quantity));
});

test('[CART-05] shows a change immediately and then the response', async () => {
  const done = addToCart(PHONE);
  assert.equal(getShownQuantity(), 1);
  assert.equal(session.get().isCartLoading, true);
  await done;
  assert.equal(session.get().cart?.totalCartValue, 1);
  assert.deepEqual(session.get().optimisticUpdates, []);
  assert.equal(session.get().isCartLoading, false);
});

test('[CART-05] reverts, flags and logs a refused change', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  createResponse = () => Response.json({ error: { code: 'internal', message: 'Unknown error' } }, { status: 500 });
  assert.equal(await addToCart(PHONE), false);
  assert.equal(getShownQuantity(), 0);
  assert.equal(session.get().hasCartFailed, true);
  assert.equal(session.get().isCartLoading, false);
  assert.equal(logged.mock.callCount(), 1);
});

test('[CART-05] sends the last quantity of several quick presses', async () => {
  session.update({ cart: createCart(1) });
  const presses = [2, 3, 4, 5].map((quantity) => updateCartLine(PHONE, quantity));
  assert.equal(getShownQuantity(), 5);
  await Promise.all(presses);
  assert.equal(getShownQuantity(), 5);
  assert.deepEqual(
    requests.map(({ quantity }) => quantity),
    [5],
  );
});

test('sends every addition in order', async () => {
  let inCart = 0;
  createResponse = (quantity) => {
    inCart += quantity;
    return Response.json(createCart(inCart));
  };
  await Promise.all([addToCart(PHONE), addToCart(PHONE)]);
  assert.equal(requests.length, 2);
  assert.equal(getShownQuantity(), 2);
});

test('[CART-03] removes the line when its quantity drops below 1', async () => {
  session.update({ cart: createCart(1) });
  await updateCartLine(PHONE, 0);
  assert.deepEqual(requests, [{ method: 'DELETE', url: '/api/cart/remove', quantity: null }]);
  assert.equal(getShownQuantity(), 0);
});
