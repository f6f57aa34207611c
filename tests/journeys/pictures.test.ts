/** Every picture of the shop: it loads, declares its size and has an alternative text. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

/** Problems of the pictures of a page after all of them have loaded. */
const findFaults = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    return images.flatMap((image) => {
      const faults = [
        ...(image.naturalWidth > 0 ? [] : ['does not load']),
        ...(image.hasAttribute('width') && image.hasAttribute('height') ? [] : ['has no size']),
        ...(image.hasAttribute('alt') ? [] : ['has no text']),
      ];
      return faults.map((fault) => `${location.pathname} ${image.getAttribute('src') ?? ''} ${fault}`);
    });
  });

test('[API-12] [PROD-02] [HOME-05] loads all pictures of two lists and a product', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  for (const path of ['/', '/catalog', '/catalog/product/iphone-17-pro']) {
    await page.goto(path);
    assert.deepEqual(await findFaults(page), []);
  }
  const colors = page.getByRole('group', { name: /^Color/ }).getByRole('radio');
  assert.equal(await colors.count(), 3);
  for (const color of await colors.all()) {
    await color.check();
    assert.deepEqual(await findFaults(page), []);
  }
  await close();
});

const getAttribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1] ?? null;

/** Every file that a picture offers. */
const listFiles = (tag: string): string[] =>
  [getAttribute(tag, 'src') ?? '', ...(getAttribute(tag, 'srcset') ?? '').split(',')]
    .map((source) => source.trim().split(' ')[0] ?? '')
    .filter((source) => source !== '');

test('[API-12] [PROD-02] pictures of all products have size, text and files', async () => {
  const products = listAt((await shop.api('GET', '/products?limit=500')).body);
  const files = new Set<string>();
  for (const product of products) {
    const path = `/catalog/product/${textAt(product, 'slug')}`;
    const tags = [...(await (await fetch(shop.url + path)).text()).matchAll(/<img\b[^>]*>/g)].map(([tag]) => tag);
    assert.ok(tags.length > 0, path);
    for (const tag of tags) {
      for (const name of ['src', 'width', 'height', 'alt'])
        assert.notEqual(getAttribute(tag, name), null, `${path} ${tag}`);
      for (const file of listFiles(tag)) files.add(file);
    }
  }
  assert.ok(files.size > 200, `${files.size}`);
  for (const file of files) assert.equal((await fetch(shop.url + file, { method: 'HEAD' })).status, 200, file);
});
