/** PAGES=stock: React Router renders and hydrates every page, without the page engine. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, mine, payOrder, placeOrder, pollNow, visit } from '../support/buyer.ts';
import { startSpawnedShop } from '../support/spawned-shop.ts';
import type { SpawnedShop } from '../support/spawned-shop.ts';

const PRODUCT = '/catalog/product/iphone-17-pro';

let shop: SpawnedShop;
before(async () => {
  shop = await startSpawnedShop({ settings: { PAGES: 'stock' } });
});
after(() => shop.stop());

test('streams public pages uncached, each with a new nonce', async () => {
  const nonces = new Set<string>();
  for (const path of ['/', '/', '/catalog', PRODUCT, '/terms', '/login', '/search-results?query=air']) {
    const response = await fetch(shop.url + path);
    const html = await response.text();
    assert.equal(response.status, 200, path);
    assert.match(html, /^<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"\/><style nonce/);
    assert.match(html, /window\.__reactRouterContext\.streamController\.close\(\)/);
    assert.doesNotMatch(html, /startShop|x-fragment/);
    assert.equal(response.headers.get('cache-status'), null);
    assert.equal(response.headers.get('cache-control'), 'private, no-store');
    const [, nonce = ''] = /script-src 'self' 'nonce-([\w-]+)'/.exec(
      response.headers.get('content-security-policy') ?? '',
    ) ?? [''];
    nonces.add(nonce);
    for (const [tag] of html.matchAll(/<script(?=[ >])[^>]*>/g)) {
      assert.ok(tag.includes(`nonce="${nonce}"`) || tag.includes('application/ld+json'), tag);
    }
  }
  assert.equal(nonces.size, 7);
});

test('writes the same meta tags as the page engine', async () => {
  const html = await (await fetch(shop.url + PRODUCT)).text();
  assert.match(html, /<link rel="canonical" href="[^"]+\/catalog\/product\/iphone-17-pro"/);
  assert.match(html, /<meta property="og:type" content="product"\/>/);
  assert.match(html, /<script type="application\/ld\+json">/);
});

test('returns 404, redirects and page data as the page engine does', async () => {
  assert.equal((await fetch(`${shop.url}/nowhere`)).status, 404);
  assert.equal((await fetch(`${shop.url}/catalog/product/none`)).status, 404);
  assert.equal((await fetch(`${shop.url}/Catalog/`, { redirect: 'manual' })).headers.get('location'), '/catalog');
  const data = await fetch(`${shop.url}/catalog.data`);
  assert.match(data.headers.get('content-type') ?? '', /text\/x-script/);
  assert.match(await data.text(), /^\[/);
});

test('hydrates the main pages without errors or policy violations', async () => {
  const { page, close } = await openPage(shop);
  for (const path of ['/', '/catalog', '/catalog/category/iphone', PRODUCT, '/cart', '/login', '/contact', '/terms']) {
    await visit(page, path);
    await page.getByRole('main').waitFor();
  }
  await visit(page, '/');
  await page.getByRole('link', { name: 'iPhone Air', exact: true }).first().click();
  await page.waitForURL('**/catalog/product/iphone-air');
  await page.getByRole('heading', { level: 1, name: 'iPhone Air' }).waitFor();
  await close();
});

test('sells a product: from the cart to a paid order', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId);
  await pollNow(page);
  await Promise.all([page.getByText('Payment confirmed!').waitFor(), mine(shop, 2).then(() => pollNow(page))]);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await visit(page, '/dashboard/orders');
  await page.getByText('Paid', { exact: true }).first().waitFor();
  await close();
});
