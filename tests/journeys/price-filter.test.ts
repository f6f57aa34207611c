import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { waitForCount, getFromField, openFilters, getPanel, getToField, countByApi } from '../support/pages/filters.ts';
import { numberAt, valueAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const WIDE = { width: 1440, height: 900 };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const waitForValue = (field: Locator, value: number) =>
  waitUntil(async () => (await field.inputValue()) === String(value));

test('[CAT-04] clamps two typed bounds on blur', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog');
  const prices = valueAt((await shop.api('GET', '/filters')).body, 'prices');
  const [lowest, highest] = [Math.floor(numberAt(prices, 'minimum')), Math.ceil(numberAt(prices, 'maximum'))];
  assert.equal(await getFromField(page).inputValue(), String(lowest));
  assert.equal(await getToField(page).inputValue(), String(highest));
  await getFromField(page).fill('500');
  await getFromField(page).press('Tab');
  await page.waitForURL('**/catalog?price_min=500');
  await waitForCount(page, await countByApi(shop, 'price_min=500'));
  await getToField(page).fill('1000');
  await getToField(page).press('Enter');
  await page.waitForURL('**/catalog?price_min=500&price_max=1000');
  await waitForCount(page, await countByApi(shop, 'price_min=500&price_max=1000'));
  // Above the maximum: back to the lowest price.
  await getFromField(page).fill('1001');
  await getFromField(page).blur();
  await page.waitForURL('**/catalog?price_max=1000');
  await waitForValue(getFromField(page), lowest);
  await getToField(page).fill('');
  await getToField(page).blur();
  await page.waitForURL('**/catalog');
  await waitForValue(getToField(page), highest);
  for (const [field, typed, expected] of [
    [getFromField(page), '-5', lowest],
    [getFromField(page), String(highest + 1), lowest],
    [getToField(page), '99999', highest],
    [getToField(page), '1', highest],
  ] as const) {
    await field.fill(typed);
    await field.blur();
    await waitForValue(field, expected);
  }
  await close();
});

test('[CAT-04] steps the slider by 10 and applies on release', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog');
  const minimum = getPanel(page).getByRole('slider', { name: 'Minimum price' });
  await minimum.focus();
  const start = Number(await getFromField(page).inputValue());
  await page.keyboard.press('ArrowRight');
  const next = Math.floor(start / 10) * 10 + 10;
  await page.waitForURL(`**/catalog?price_min=${next}`);
  await waitForValue(getFromField(page), next);
  const maximum = getPanel(page).getByRole('slider', { name: 'Maximum price' });
  assert.equal(await maximum.getAttribute('step'), '10');
  const thumb = await maximum.locator('..').boundingBox();
  assert.ok(thumb);
  await page.mouse.move(thumb.x + thumb.width / 2, thumb.y + thumb.height / 2);
  await page.mouse.down();
  await page.mouse.move(thumb.x - 80, thumb.y + thumb.height / 2, { steps: 5 });
  // Not released yet.
  assert.equal(new URL(page.url()).searchParams.has('price_max'), false);
  const dragged = Number(await getToField(page).inputValue());
  assert.equal(dragged % 10, 0);
  await page.mouse.up();
  await page.waitForURL(`**/catalog?price_min=${next}&price_max=${dragged}`);
  await waitForCount(page, await countByApi(shop, `price_min=${next}&price_max=${dragged}`));
  await close();
});
