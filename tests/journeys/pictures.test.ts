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

test('[API-12] [PROD-02] [HOME-05] loads every picture of home, catalogue and products', async () => {
  const products = listAt((await shop.api('GET', '/products?limit=500')).body);
  const { page, close } = await openPage(shop, { width: 1440 });
  const paths = ['/', '/catalog', ...products.map((product) => `/catalog/product/${textAt(product, 'slug')}`)];
  for (const path of paths) {
    await page.goto(path);
    assert.deepEqual(await findFaults(page), []);
    const colors = page.getByRole('group', { name: /^Color/ }).getByRole('radio');
    for (let index = 1; index < (await colors.count()); index += 1) {
      await colors.nth(index).check();
      assert.deepEqual(await findFaults(page), []);
    }
  }
  await close();
});
