import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOfPage } from './pages.ts';

test('the data of a page belongs to the page, however its address is written', () => {
  const paths = {
    '/': '/',
    '/_.data?_routes=root': '/',
    '/cart': '/cart',
    '/cart?step=2': '/cart',
    '/cart.data': '/cart',
    '/CART.data': '/cart',
    '/%63art': '/cart',
    '/dashboard/_.data': '/dashboard/',
    '/%': '/%',
  };
  for (const [url, path] of Object.entries(paths)) assert.equal(pathOfPage(url), path, url);
});
