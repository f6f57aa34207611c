import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import {
  getCheckbox,
  getFromField,
  listCards,
  waitForCards,
  getCount,
  waitForCount,
  listValueIdsByApi,
  waitForReady,
  openFilters,
  getOpener,
  getPanel,
  countByApi,
} from '../support/pages/filters.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
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
  assert.equal(await getOpener(page).getAttribute('aria-expanded'), 'true');
  assert.deepEqual(await getPanel(page).getByRole('group').locator('> legend').allInnerTexts(), [
    'Price',
    'Brands',
    'Memory Capacity',
  ]);
  const all = await getCount(page);
  assert.equal(all, await countByApi(shop, ''));
  await getCheckbox(page, 'Belkin').check();
  await waitForCount(page, await countByApi(shop, 'brand=belkin'));
  assert.ok((await listCards(page)).every((name) => name.startsWith('Belkin')));
  assert.equal(new URL(page.url()).search, '?brand=belkin');
  await getCheckbox(page, 'Belkin').uncheck();
  await waitForCount(page, all);
  await getCheckbox(page, /^1TB/).check();
  await waitForCount(
    page,
    await countByApi(shop, `values=${(await listValueIdsByApi(shop, 'Memory Capacity', '1TB')).join()}`),
  );
  await close();
});

test('[CAT-05] [CAT-06] sorts capacities and shows option counts', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog?brand=apple');
  const names = await getPanel(page).getByRole('group', { name: 'Memory Capacity' }).getByRole('checkbox').all();
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
  const label = await getCheckbox(page, /^2TB/).evaluate((input) => input.parentElement?.innerText ?? '');
  const promised = Number(/(\d+) products?$/.exec(label.replaceAll(/\s+/g, ' '))?.[1]);
  await getCheckbox(page, /^2TB/).check();
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
    assert.equal(await getPanel(page).evaluate((dialog) => dialog.matches(':modal')), isSheet);
    await getCheckbox(page, /^128GB/).check();
    const total = await countByApi(
      shop,
      `category=ipad&values=${(await listValueIdsByApi(shop, 'Memory Capacity', '128GB')).join()}`,
    );
    await waitForCount(page, total);
    assert.ok(await getPanel(page).isVisible(), 'it stays open');
    if (isSheet) {
      await getPanel(page)
        .getByRole('button', { name: /^Show \d+ products?$/ })
        .click();
      await getPanel(page).waitFor({ state: 'hidden' });
      await getOpener(page).click();
      await page.keyboard.press('Escape');
      await getPanel(page).waitFor({ state: 'hidden' });
      assert.equal(await getOpener(page).evaluate((button) => button === document.activeElement), true);
    } else {
      const [list, side] = [await page.getByRole('article').first().boundingBox(), await getPanel(page).boundingBox()];
      assert.ok(list && side && side.x + side.width <= list.x);
      await getOpener(page).click();
      await getPanel(page).waitFor({ state: 'hidden' });
    }
    await page.getByRole('button', { name: 'Show Filters' }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  });
}

for (const size of [PHONE, { width: 1100, height: 900 }]) {
  test(`[CAT-02] opens the panel before hydration, ${size.width} px wide`, async () => {
    const { page, close } = await openPage(shop, size);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto('/catalog/category/ipad', { waitUntil: 'commit' });
    await getOpener(page).click();
    resolve();
    // The slider exists only after hydration.
    await getPanel(page).getByRole('slider').first().waitFor();
    assert.equal(await getPanel(page).evaluate((dialog) => dialog.matches(':modal')), size === PHONE);
    await getCheckbox(page, /^128GB/).check();
    await page.waitForURL(/values=/);
    await close();
  });
}

test('[CAT-02] from 1280 px on the panel is open from the start, and nothing shifts', async () => {
  const { page, close } = await openPage(shop, { width: 1280, height: 900 });
  const listShifts = await watchLayoutShifts(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto('/catalog/category/ipad', { waitUntil: 'commit' });
  await getFromField(page).waitFor();
  resolve();
  await waitForReady(page);
  await getPanel(page).getByRole('slider').first().waitFor();
  assert.equal(await getOpener(page).getAttribute('aria-expanded'), 'true');
  const shifts = await listShifts();
  assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) <= 0.01, JSON.stringify(shifts));
  await getOpener(page).click();
  await getPanel(page).waitFor({ state: 'hidden' });
  await close();
});

test('[CAT-02] opens, selects and closes by keyboard', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/catalog');
  await waitForReady(page);
  await getOpener(page).focus();
  await page.keyboard.press('Enter');
  await getCheckbox(page, 'Anker').waitFor();
  await getCheckbox(page, 'Anker').focus();
  await page.keyboard.press('Space');
  await page.waitForURL('**/catalog?brand=anker');
  assert.equal(await getCheckbox(page, 'Anker').evaluate((input) => input === document.activeElement), true);
  await page.keyboard.press('Escape');
  await getPanel(page).waitFor({ state: 'hidden' });
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
  const names = await listCards(page);
  await getCheckbox(page, 'Nomad').check();
  await getCheckbox(page, 'Anker').check();
  await page.locator('#products[data-loading]').waitFor();
  assert.deepEqual(await listCards(page), names);
  assert.ok((await getCheckbox(page, 'Nomad').isChecked()) && (await getCheckbox(page, 'Anker').isChecked()));
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
  await getCheckbox(page, 'Nomad').check();
  await waitForCount(page, await countByApi(shop, 'brand=nomad'));
  assert.ok(await getCheckbox(page, 'Anker').isChecked());
  await getCheckbox(page, 'Belkin').check();
  resolve();
  await waitForCount(page, await countByApi(shop, 'brand=nomad&brand=anker&brand=belkin'));
  await close();
});

for (const size of [PHONE, WIDE]) {
  test(`the filters are accessible, ${size.width} px wide`, async () => {
    const { page, close } = await openPage(shop, { ...size, reducedMotion: true });
    await openFilters(page, '/catalog?brand=apple&price_min=100');
    await getPanel(page).getByRole('slider').first().waitFor();
    await assertAccessibleInBothSchemes(page);
    await page.goto('/catalog/category/iphone');
    await assertAccessibleInBothSchemes(page);
    await close();
  });
}
