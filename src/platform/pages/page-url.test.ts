import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCacheKey, findRedirect, getPagePath } from './page-url.ts';

test('maps page data and other spellings to the page', () => {
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
  for (const [url, path] of Object.entries(paths)) assert.equal(getPagePath(url), path, url);
});

test('redirects other spellings to the canonical URL with the query', () => {
  const moves = {
    '/catalog/': '/catalog',
    '//catalog///product//x/?a=B/': '/catalog/product/x?a=B/',
    '//evil.example/': '/evil.example',
    '/Catalog/Product/iPhone?Q=A': '/catalog/product/iphone?Q=A',
    '/%63atalog': '/catalog',
    '/%f0%9f%98%80': '/%F0%9F%98%80',
  };
  for (const [url, path] of Object.entries(moves)) assert.equal(findRedirect(url), path, url);
  // Canonical and malformed URLs are not redirected.
  const stay = [...Object.values(moves), '/', '/?a=1', '/catalog', '/robots.txt', '/%', '/..%2Fetc', '/%00', '/A.data'];
  for (const url of stay) assert.equal(findRedirect(url), null, url);
});

const listParameters = (path: string): readonly string[] | null => {
  if (path === '/catalog') return ['brand', 'sort'];
  return path === '/' ? [] : null;
};
const getKey = (url: string): string | null =>
  getCacheKey(url, listParameters, (id) => ['root', 'catalog'].includes(id));

test('keys depend on relevant parameters only, in any order', () => {
  const keys = {
    '/': '/',
    '/?utm_source=mail&x': '/',
    '/catalog?': '/catalog',
    '/catalog?sort=newest&fbclid=1&brand=b&brand=a': '/catalog?brand=b&brand=a&sort=newest',
    '/catalog?brand=b&brand=a&sort=newest': '/catalog?brand=b&brand=a&sort=newest',
    '/catalog?sor%74=newest': '/catalog?sort=newest',
    '/catalog?_routes=root': '/catalog',
    '/catalog.data?_routes=root%2Ccatalog&sort=newest': '/catalog.data?_routes=root%2Ccatalog&sort=newest',
    '/elsewhere': '/elsewhere',
  };
  for (const [url, key] of Object.entries(keys)) assert.equal(getKey(url), key, url);
});

test('does not cache unknown pages with a query', () => {
  for (const url of ['/elsewhere?a=1', '/catalog.data?_routes=made-up', '/catalog.data?_routes=root,made-up']) {
    assert.equal(getKey(url), null, url);
  }
});
