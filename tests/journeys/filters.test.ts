import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import {
  box,
  cards,
  waitForCards,
  count,
  waitForCount,
  listValueIdsByApi,
  waitForReady,
  openFilters,
  opener,
  panel,
  countByApi,
} from '../support/pages/filters.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[CAT-02] filters the catalogue by price, brand and storage capacity', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog');
  assert.equal(await opener(page).getAttribute('aria-expanded'), 'true');
  assert.deepEqual(await panel(page).getByRole('group').locator('> legend').allInnerTexts(), [
    'Price',
    'Brands',
    'Memory Capacity',
  ]);
  const all = await count(page);
  assert.equal(all, await countByApi(shop, ''));
  await box(page, 'Belkin').check();
  await waitForCount(page, await countByApi(shop, 'brand=belkin'));
  assert.ok((await cards(page)).every((name) => name.startsWith('Belkin')));
  assert.equal(new URL(page.url()).search, '?brand=belkin');
  await box(page, 'Belkin').uncheck();
  await waitForCount(page, all);
  await box(page, /^1TB/).check();
  await waitForCount(
    page,
    await countByApi(shop, `values=${(await listValueIdsByApi(shop, 'Memory Capacity', '1TB')).join()}`),
  );
  await close();
});

test('[CAT-05] [CAT-06] sorts capacities and shows option counts', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog?brand=apple');
  const names = await panel(page).getByRole('group', { name: 'Memory Capacity' }).getByRole('checkbox').all();
  const sizes: number[] = [];
  for (const name of names) {
    const [, amount, unit] =
      /^(\d+)(GB|TB)/.exec(await name.evaluate((input) => input.parentElement?.innerText ?? '')) ?? [];
    sizes.push(Number(amount) * (unit === 'TB' ? 1024 : 1));
  }
  assert.ok(sizes.length > 4);
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => a - b),
  );
  const label = await box(page, /^2TB/).evaluate((input) => input.parentElement?.innerText ?? '');
  const promised = Number(/(\d+) products?$/.exec(label.replaceAll(/\s+/g, ' '))?.[1]);
  await box(page, /^2TB/).check();
  await waitForCount(page, promised);
  await close();
});

for (const [width, isSheet] of [
  [390, true],
  [991, true],
  [992, false],
  [1440, false],
] as const) {
  test(`[CAT-02] [FMT-02] the panel is ${isSheet ? 'a sheet' : 'beside the list'} at ${width} px`, async () => {
    const { page, close } = await openPage(shop, { width, height: 844 });
    await openFilters(page, '/catalog/category/ipad');
    assert.equal(await panel(page).evaluate((dialog) => dialog.matches(':modal')), isSheet);
    await box(page, /^128GB/).check();
    const total = await countByApi(
      shop,
      `category=ipad&values=${(await listValueIdsByApi(shop, 'Memory Capacity', '128GB')).join()}`,
    );
    await waitForCount(page, total);
    assert.ok(await panel(page).isVisible(), 'it stays open');
    if (isSheet) {
      await panel(page)
        .getByRole('button', { name: /^Show \d+ products?$/ })
        .click();
      await panel(page).waitFor({ state: 'hidden' });
      await opener(page).click();
      await page.keyboard.press('Escape');
      await panel(page).waitFor({ state: 'hidden' });
      assert.equal(await opener(page).evaluate((button) => button === document.activeElement), true);
    } else {
      const [list, side] = [await page.getByRole('article').first().boundingBox(), await panel(page).boundingBox()];
      assert.ok(list && side && side.x + side.width <= list.x);
      await opener(page).click();
      await panel(page).waitFor({ state: 'hidden' });
    }
    await page.getByRole('button', { name: 'Show Filters' }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  });
}

for (const size of [PHONE, WIDE]) {
  test(`[CAT-02] opens the panel before hydration, ${size.width} px wide`, async () => {
    const { page, close } = await openPage(shop, size);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto('/catalog/category/ipad', { waitUntil: 'commit' });
    await opener(page).click();
    resolve();
    // The slider exists only after hydration.
    await panel(page).getByRole('slider').first().waitFor();
    assert.equal(await panel(page).evaluate((dialog) => dialog.matches(':modal')), size === PHONE);
    await box(page, /^128GB/).check();
    await page.waitForURL(/values=/);
    await close();
  });
}

test('[CAT-02] opens, selects and closes by keyboard', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/catalog');
  await waitForReady(page);
  await opener(page).focus();
  await page.keyboard.press('Enter');
  await box(page, 'Anker').waitFor();
  await box(page, 'Anker').focus();
  await page.keyboard.press('Space');
  await page.waitForURL('**/catalog?brand=anker');
  assert.equal(await box(page, 'Anker').evaluate((input) => input === document.activeElement), true);
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'hidden' });
  await waitForCards(page, ['Anker 737 Power Bank']);
  await close();
});

test('[CAT-06] accumulates quick selections and dims the loading list', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/catalog.data**', async (route) => {
    await promise;
    await route.continue().catch(() => {});
  });
  const names = await cards(page);
  await box(page, 'Nomad').check();
  await box(page, 'Anker').check();
  await page.locator('#products[data-loading]').waitFor();
  assert.deepEqual(await cards(page), names);
  assert.ok((await box(page, 'Nomad').isChecked()) && (await box(page, 'Anker').isChecked()));
  resolve();
  await page.waitForURL('**/catalog?brand=nomad&brand=anker');
  await waitForCount(page, await countByApi(shop, 'brand=nomad&brand=anker'));
  await close();
});

test('[CAT-06] keeps selections made while a list arrives', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/catalog\.data\?.*anker/, async (route) => {
    await promise;
    await route.continue().catch(() => {});
  });
  // Between the response of the first list and its render.
  await page.evaluate(() => {
    const push = history.pushState.bind(history);
    history.pushState = (...to) => {
      push(...to);
      history.pushState = push;
      queueMicrotask(() => document.querySelector<HTMLInputElement>('dialog input[value="anker"]')?.click());
    };
  });
  await box(page, 'Nomad').check();
  await waitForCount(page, await countByApi(shop, 'brand=nomad'));
  assert.ok(await box(page, 'Anker').isChecked());
  await box(page, 'Belkin').check();
  resolve();
  await waitForCount(page, await countByApi(shop, 'brand=nomad&brand=anker&brand=belkin'));
  await close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const size of [PHONE, WIDE]) {
    test(`the filters are accessible, ${colorScheme}, ${size.width} px wide`, async () => {
      const { page, close } = await openPage(shop, { ...size, colorScheme, reducedMotion: true });
      await openFilters(page, '/catalog?brand=apple&price_min=100');
      await panel(page).getByRole('slider').first().waitFor();
      await assertAccessible(page);
      await page.goto('/catalog/category/iphone');
      await assertAccessible(page);
      await close();
    });
  }
}
