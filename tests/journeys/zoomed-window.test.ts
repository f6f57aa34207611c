/** A page that is zoomed to 200 %: a window half as wide and half as high. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, placeOrder, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const ZOOMED = [
  { width: 720, height: 450 },
  { width: 640, height: 400 },
] as const;
const PHONE = { width: 390, height: 844 } as const;
const MOST = 0.15;

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

/** The share of the window's height taken by header and bottom bar. */
const measureTakenShare = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const bars = [...document.querySelectorAll('header, nav[aria-label="Main"]')].filter(
      (bar) => bar.closest('main') === null,
    );
    const heights = bars.map((bar) => {
      const { top, bottom } = bar.getBoundingClientRect();
      return Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 0));
    });
    return heights.reduce((sum, height) => sum + height, 0) / window.innerHeight;
  });

for (const size of ZOOMED) {
  test(`header and bottom bar scroll away at ${size.width}x${size.height}`, async () => {
    const { page, close } = await openPage(shop, size);
    for (const path of ['/', '/catalog/product/iphone-air']) {
      await visit(page, path);
      const atTop = await measureTakenShare(page);
      assert.ok(atTop > 0 && atTop <= MOST, `${path} at the top: ${atTop}`);
      await page.evaluate(() => window.scrollTo({ top: 600, behavior: 'instant' }));
      assert.equal(await measureTakenShare(page), 0, `${path} scrolled`);
    }
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    assert.ok(await page.getByRole('navigation', { name: 'Main' }).isVisible());
    await close();
  });
}

test('[LAY-09] no text is visible through the bottom bar of phones', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await openPage(shop, { ...PHONE, colorScheme });
    await visit(page, '/');
    const background = await page
      .getByRole('navigation', { name: 'Main' })
      .evaluate((bar) => getComputedStyle(bar).backgroundColor);
    assert.match(background, /^rgb\(/, 'opaque');
    await close();
  }
});

test('[PAY-11] the destructive choice is not the primary button', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  const dialog = page.getByRole('dialog');
  const fill = (name: string, within: Page | Locator = page): Promise<string> =>
    within.getByRole('button', { name, exact: true }).evaluate((button) => getComputedStyle(button).backgroundColor);
  const CLEAR = 'rgba(0, 0, 0, 0)';
  await page.getByRole('button', { name: 'Cancel order' }).click();
  assert.equal(await fill('Cancel order', dialog), CLEAR);
  assert.notEqual(await fill('Keep order', dialog), CLEAR);
  await dialog.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  await visit(page, '/dashboard/settings');
  await page.getByRole('button', { name: 'Delete account' }).click();
  assert.equal(await fill('Delete permanently'), CLEAR);
  assert.notEqual(await fill('Cancel'), CLEAR);
  await close();
});
