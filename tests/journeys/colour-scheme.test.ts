/** Switching between light and dark on an open page never makes text unreadable. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

/** Resolves with the properties whose transitions the switch has started. */
const STARTED = `new Promise((resolve) => {
  const started = new Set();
  document.addEventListener('transitionrun', ({ propertyName }) => started.add(propertyName));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([...started].toSorted())));
  });
  document.documentElement.toggleAttribute('data-listens', true);
})`;

for (const path of [
  '/',
  '/privacy',
  '/catalog',
  '/catalog/category/iphone',
  '/catalog/product/iphone-17-pro',
  '/login',
]) {
  for (const reducedMotion of [false, true]) {
    const motion = reducedMotion ? ', with reduced motion' : '';
    test(`a change of colour scheme animates nothing on ${path}${motion}`, async () => {
      const { page, close } = await openPage(shop, { width: 1440, reducedMotion });
      await page.goto(path);
      const started = page.evaluate<string[]>(STARTED);
      await page.locator('html[data-listens]').waitFor({ state: 'attached' });
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await started, []);
      await assertAccessible(page, ['color-contrast']);
      await close();
    });
  }
}
