import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { waitForCount, from, openFilters, panel, to, countByApi } from '../support/pages/filters.ts';
import { numberAt, valueAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const WIDE = { width: 1440, height: 900 };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const holds = (field: Locator, value: number) => waitUntil(async () => (await field.inputValue()) === String(value));

test('[CAT-04] clamps two typed bounds on blur', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog');
  const prices = valueAt((await shop.api('GET', '/filters')).body, 'prices');
  const [lowest, highest] = [Math.floor(numberAt(prices, 'minimum')), Math.ceil(numberAt(prices, 'maximum'))];
  assert.equal(await from(page).inputValue(), String(lowest));
  assert.equal(await to(page).inputValue(), String(highest));
  await from(page).fill('500');
  await from(page).press('Tab');
  await page.waitForURL('**/catalog?price_min=500');
  await waitForCount(page, await countByApi(shop, 'price_min=500'));
  await to(page).fill('1000');
  await to(page).press('Enter');
  await page.waitForURL('**/catalog?price_min=500&price_max=1000');
  await waitForCount(page, await countByApi(shop, 'price_min=500&price_max=1000'));
  // Above the maximum: back to the lowest price.
  await from(page).fill('1001');
  await from(page).blur();
  await page.waitForURL('**/catalog?price_max=1000');
  await holds(from(page), lowest);
  await to(page).fill('');
  await to(page).blur();
  await page.waitForURL('**/catalog');
  await holds(to(page), highest);
  for (const [field, typed, expected] of [
    [from(page), '-5', lowest],
    [from(page), String(highest + 1), lowest],
    [to(page), '99999', highest],
    [to(page), '1', highest],
  ] as const) {
    await field.fill(typed);
    await field.blur();
    await holds(field, expected);
  }
  await close();
});

test('[CAT-04] steps the slider by 10 and applies on release', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog');
  const minimum = panel(page).getByRole('slider', { name: 'Minimum price' });
  await minimum.focus();
  const start = Number(await from(page).inputValue());
  await page.keyboard.press('ArrowRight');
  const next = Math.floor(start / 10) * 10 + 10;
  await page.waitForURL(`**/catalog?price_min=${next}`);
  await holds(from(page), next);
  const maximum = panel(page).getByRole('slider', { name: 'Maximum price' });
  assert.equal(await maximum.getAttribute('step'), '10');
  const thumb = await maximum.locator('..').boundingBox();
  assert.ok(thumb);
  await page.mouse.move(thumb.x + thumb.width / 2, thumb.y + thumb.height / 2);
  await page.mouse.down();
  await page.mouse.move(thumb.x - 80, thumb.y + thumb.height / 2, { steps: 5 });
  // Not released yet.
  assert.equal(new URL(page.url()).searchParams.has('price_max'), false);
  const dragged = Number(await to(page).inputValue());
  assert.equal(dragged % 10, 0);
  await page.mouse.up();
  await page.waitForURL(`**/catalog?price_min=${next}&price_max=${dragged}`);
  await waitForCount(page, await countByApi(shop, `price_min=${next}&price_max=${dragged}`));
  await close();
});
