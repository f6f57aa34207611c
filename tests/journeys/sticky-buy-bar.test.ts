/** Sticky bar with price and 'Add to Cart' on phones. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const PHONE = '/catalog/product/iphone-17-pro';

/** Whether a click at its centre would hit it. */
const isOnTop = (page: Page, name: string, role: 'button' | 'link' = 'button') =>
  page.getByRole(role, { name, exact: true }).evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && element.contains(hit);
  });

const scrollTo = (page: Page, part: number) =>
  page.evaluate((share) => {
    window.scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * share);
  }, part);

test('[PROD-14] keeps the buy bar visible on a phone', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844, reducedMotion: true });
  await visit(page, PHONE);
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    await scrollTo(page, part);
    assert.ok(await isOnTop(page, 'Add to Cart'), `at ${part} of the page`);
  }
  // The footer can be scrolled clear of the bar.
  const footer = page.getByRole('contentinfo').getByRole('link').last();
  const [link, bar] = [
    await footer.boundingBox(),
    await page.getByRole('button', { name: 'Add to Cart', exact: true }).boundingBox(),
  ];
  assert.ok(link && bar && link.y + link.height <= bar.y, 'the last link is not covered');
  await close();
});

for (const width of [320, 390]) {
  test(`[PROD-14] after adding, the buy bar offers 'Go to cart', ${width} px wide`, async () => {
    const { page, close } = await openPage(shop, { width, height: 844, reducedMotion: true });
    await visit(page, PHONE);
    await page.getByRole('radio', { name: '1TB' }).check();
    await scrollTo(page, 1);
    await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
    const link = page.getByRole('link', { name: 'Go to cart', exact: true });
    await link.waitFor();
    assert.ok(await isOnTop(page, 'Go to cart', 'link'));
    assert.ok(await isOnTop(page, 'Increase quantity'));
    const box = await link.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= width && box.height >= 44);
    await assertAccessible(page);
    await link.click();
    await page.getByRole('heading', { name: 'Order Details' }).waitFor();
    await close();
  });
}

test('[PROD-14] leaves room for the page with large text', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 420 });
  await visit(page, PHONE);
  await scrollTo(page, 1);
  assert.equal(await isOnTop(page, 'Add to Cart'), false);
  await close();
});
