/** Focus after a dialog, a toast or a navigation. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { findSmallTargets } from '../support/pages/measure.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

/** Each dialog of the shop: page, window width, and the button that opens it. */
const DIALOGS = [
  { name: 'Location', path: '/', width: 1440, opener: '45 Elm Street, Kensington, London, UK' },
  { name: 'Filters', path: '/catalog', width: 390, opener: 'Show Filters' },
];

for (const { name, path, width, opener } of DIALOGS) {
  test(`the dialog '${name}' traps focus, closes with Escape, returns focus`, async () => {
    const { page, close } = await openPage(shop, { width, height: 844, reducedMotion: true });
    await visit(page, path);
    const button = page.getByRole('button', { name: opener });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    await assertAccessibleInBothSchemes(page);
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      assert.ok(
        await dialog.evaluate((element) => {
          const focus = document.activeElement;
          return focus === document.body || element.contains(focus);
        }),
        `Tab press ${presses} moved the focus out of the dialog`,
      );
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement !== document.body);
    assert.ok(await button.or(page.getByRole('button', { name: opener })).evaluate((one) => one.matches(':focus')));
    await close();
  });
}

test('controls in a dialog can be clicked', async () => {
  const { page, close } = await openPage(shop, { width: 1440, reducedMotion: true });
  await visit(page, '/');
  await page.getByRole('button', { name: '45 Elm Street' }).click();
  await page.getByRole('dialog', { name: 'Location' }).waitFor();
  const small = await page.evaluate(findSmallTargets);
  assert.deepEqual(
    small.filter((target) => /Close|Region|Country|Reset|Apply/i.test(target)),
    [],
  );
  await close();
});

test('[LAY-10] a toast is visible above a dialog and after it', async () => {
  const { page, close, expectStatuses } = await openPage(shop, { width: 1440 });
  expectStatuses([409]);
  // The response comes while the dialog is open.
  const { promise: isOpen, resolve: release } = Promise.withResolvers<void>();
  const message = 'HomePod is sold out';
  await page.route('**/api/cart/add', async (route) => {
    await isOpen;
    await route.fulfill({ status: 409, json: { error: { code: 'sold-out', message } } });
  });
  await visit(page, '/catalog/product/homepod');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('banner').getByRole('button', { name: '45 Elm Street' }).click();
  const dialog = page.getByRole('dialog', { name: 'Location' });
  await dialog.waitFor();
  // The clock is stopped: two seconds are short on a busy machine.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  release();
  await dialog.getByText(message).waitFor();
  // Hovering keeps the toast.
  await dialog.getByText(message).hover();
  await page.clock.runFor(10_000);
  assert.ok(await dialog.getByText(message).isVisible());
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const toast = page.locator('body > [popover]').getByText(message);
  await toast.hover();
  await page.mouse.move(10, 800);
  await page.clock.resume();
  await toast.waitFor({ state: 'hidden' });
  await close();
});

/** Routes from the home page that use only links and the search. */
const WAYS: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['/catalog', (page) => page.getByRole('banner').getByRole('link', { name: 'Catalog', exact: true }).click()],
  ['/catalog/category/ipad', (page) => page.getByRole('link', { name: 'iPad', exact: true }).first().click()],
  [
    '/catalog/product/iphone-air',
    (page) => page.getByRole('link', { name: 'iPhone Air', exact: true }).first().click(),
  ],
  [
    '/search-results',
    async (page) => {
      await page.getByRole('combobox', { name: 'Search' }).fill('studio');
      await page.keyboard.press('Enter');
    },
  ],
  ['/cart', (page) => page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()],
  ['/login', (page) => page.getByRole('banner').getByRole('link', { name: 'Login' }).click()],
  ['/promo', (page) => page.getByRole('link', { name: 'Discover more' }).click()],
  ...['Free shipping', 'How to buy', 'Terms', 'Privacy', 'Returns'].map(
    (name) =>
      [
        `/${name.toLowerCase().replaceAll(' ', '-')}`,
        (page: Page) => page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click(),
      ] as const,
  ),
];

test('a navigation focuses the heading and sets the title', async () => {
  const { page, close } = await openPage(shop, { width: 1440, reducedMotion: true });
  const titles = new Set<string>();
  for (const [path, go] of WAYS) {
    await visit(page, '/');
    const old = await page.title();
    await go(page);
    await page.waitForURL(({ pathname }) => pathname === path);
    await page.waitForFunction(() => document.activeElement?.matches('main h1'));
    await page.waitForFunction((last) => document.title !== last, old);
    titles.add(await page.title());
  }
  assert.equal(titles.size, WAYS.length, 'no two pages have the same title');
  await close();
});
