import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CART_CHANGING_KEY,
  CART_CHANGE_TIMEOUT_MS,
  CART_MARK_KEY,
  RECENT_KEY,
  TOKEN_KEY,
} from '#src/ui/browser/browser-storage.ts';
import { preparePage } from './prepare-page.ts';

/** Prepares the page of a visitor with this local storage. */
function prepare(stored: Readonly<Record<string, string>>) {
  const requests: (readonly [path: string, authorization: string | null])[] = [];
  const dataset: DOMStringMap = {};
  const early = preparePage({
    document: { cookie: '', documentElement: { dataset } },
    storage: { getItem: (key) => stored[key] ?? null, setItem: () => assert.fail('stores nothing') },
    isHttps: false,
    fetch: (url, options) => {
      const authorization = new Headers(options?.headers).get('authorization');
      requests.push([typeof url === 'string' ? url : '', authorization]);
      return Promise.reject(new Error('offline'));
    },
  });
  return { requests, attributes: Object.keys(dataset), early };
}

test('a page of a guest without a cart requests nothing and has no marks', () => {
  const { requests, attributes, early } = prepare({});
  assert.deepEqual([requests, attributes], [[], []]);
  assert.deepEqual(early, { token: null, answers: {} });
});

test('a page of a customer requests user, orders and cart before the scripts are there', async () => {
  const { requests, attributes, early } = prepare({ [TOKEN_KEY]: 't1', [RECENT_KEY]: '7' });
  assert.deepEqual(
    requests,
    ['/api/users/user', '/api/orders', '/api/cart'].map((path) => [path, 'Bearer t1']),
  );
  assert.deepEqual(attributes, ['auth', 'recent']);
  assert.equal(early.token, 't1');
  await assert.rejects(early.answers['/cart'] ?? Promise.resolve(), /offline/);
});

test('a page of a guest with a cart requests it, unless the page before is changing it', () => {
  const cart = { [CART_MARK_KEY]: '2@1' };
  assert.deepEqual(prepare(cart).requests, [['/api/cart', null]]);
  assert.deepEqual(prepare(cart).attributes, ['cart']);
  assert.deepEqual(prepare({ ...cart, [CART_CHANGING_KEY]: String(Date.now()) }).requests, []);
  const isOver = String(Date.now() - CART_CHANGE_TIMEOUT_MS - 1);
  assert.deepEqual(prepare({ ...cart, [CART_CHANGING_KEY]: isOver }).requests, [['/api/cart', null]]);
});
