/** Comparison of products of a category. */
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

const CATEGORY = '/catalog/category/iphone';
const getCheckbox = (page: Page, name: string) => page.getByRole('checkbox', { name: `Compare ${name}`, exact: true });
const listColumns = async (page: Page): Promise<readonly string[]> =>
  (await page.getByRole('columnheader').getByRole('link').allInnerTexts())
    .map((text) => text.trim())
    // The arrow of an energy label is a picture.
    .filter((text) => text !== '');
const waitForComparison = (page: Page) => page.getByRole('heading', { level: 1, name: 'Compare iPhone' }).waitFor();

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`[CAT-07] compares selected products of a category, ${width} px wide`, async () => {
    const { page, close } = await openPage(shop, { width, height });
    await visit(page, CATEGORY);
    await getCheckbox(page, 'iPhone 17 Pro').check();
    await page.getByText('Select one more to compare').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Compare', exact: true }).count(), 0);
    await getCheckbox(page, 'iPhone Air').check();
    await page.getByText('2 of 4 selected').waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await waitForComparison(page);
    assert.equal(new URL(page.url()).search, '?products=iphone-17-pro,iphone-air');
    assert.deepEqual(await listColumns(page), ['iPhone 17 Pro', 'iPhone Air']);
    const region = page.getByRole('region', { name: 'Comparison' });
    assert.ok(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'two columns fit');
    await assertAccessible(page);
    await page.goBack();
    await page.getByText('2 of 4 selected').waitFor();
    assert.ok(await getCheckbox(page, 'iPhone Air').isChecked(), 'the selection stays');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('2 of 4 selected').waitFor({ state: 'detached' });
    assert.equal(await getCheckbox(page, 'iPhone Air').isChecked(), false);
    await close();
  });
}

test('[CAT-07] limits the selection to four', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, CATEGORY);
  const boxes = page.getByRole('checkbox', { name: /^Compare / });
  for (let index = 0; index < 4; index += 1) await boxes.nth(index).check();
  await page.getByText('4 of 4 selected').waitFor();
  assert.ok(await boxes.nth(4).isDisabled());
  await boxes.nth(0).uncheck();
  await page.getByText('3 of 4 selected').waitFor();
  assert.ok(await boxes.nth(4).isEnabled());
  await close();
});

test('[CAT-07] marks differences and can show only them', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, '/compare?products=iphone-17-pro,iphone-17-pro-max');
  const rows = page.locator('tbody');
  const visible = rows.filter({ visible: true });
  const all = await visible.count();
  const marked = await rows.filter({ has: page.getByText('Differs', { exact: true }) }).count();
  assert.ok(marked > 0 && marked < all, `${marked} of ${all}`);
  for (const row of await rows.all()) {
    const values = await row.getByRole('cell').allInnerTexts();
    assert.equal(
      (await row.getByText('Differs', { exact: true }).count()) === 1,
      new Set(values).size > 1,
      values.join(' | '),
    );
  }
  await page.getByLabel('Show only differences').check();
  assert.equal(await visible.count(), marked);
  await close();
});

test('[CAT-07] explains why unknown and foreign products are left out', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, '/compare?products=iphone-air,no-such-phone,airpods-4,iphone-17');
  await waitForComparison(page);
  assert.deepEqual(await listColumns(page), ['iPhone Air', 'iPhone 17']);
  await page.getByText('1 product is not available.').waitFor();
  await page.getByText('Not compared, because only iPhone can be compared here: AirPods 4.').waitFor();
  for (const query of [
    '',
    '?products=',
    '?products=no-such-phone',
    '?products=%00,%F0%9F%93%B1',
    `?products=${'a,'.repeat(900)}`,
  ]) {
    const response = await fetch(`${shop.url}/compare${query}`);
    assert.equal(response.status, 200, query);
    assert.match(await response.text(), /No products to compare/);
  }
  await close();
});

test('[CAT-07] adds and removes products on the page', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, '/catalog/product/iphone-air');
  await page.getByRole('link', { name: 'Compare with other iPhone' }).click();
  await waitForComparison(page);
  assert.deepEqual(await listColumns(page), ['iPhone Air']);
  await page.getByLabel('Add iPhone').selectOption({ label: 'iPhone 17 Pro' });
  await page.getByRole('button', { name: 'Add to comparison' }).click();
  await page.getByRole('columnheader', { name: 'iPhone 17 Pro' }).waitFor();
  assert.deepEqual(await listColumns(page), ['iPhone Air', 'iPhone 17 Pro']);
  await page.getByRole('link', { name: 'Remove iPhone Air from the comparison' }).click();
  await page.getByRole('columnheader', { name: 'iPhone Air' }).waitFor({ state: 'detached' });
  assert.deepEqual(await listColumns(page), ['iPhone 17 Pro']);
  await close();
});

test('[CAT-07] selects and compares products without JavaScript', async () => {
  const { page, close } = await openPage(shop, { javaScript: false });
  await page.goto(CATEGORY);
  await getCheckbox(page, 'iPhone 17 Pro').check();
  await getCheckbox(page, 'iPhone Air').check();
  await page.getByRole('button', { name: 'Compare selected products' }).click();
  await waitForComparison(page);
  assert.equal((await listColumns(page)).length, 2);
  await page.getByLabel('Add iPhone').selectOption({ label: 'iPhone 17' });
  await page.getByRole('button', { name: 'Add to comparison' }).click();
  await page.getByRole('columnheader').getByRole('link', { name: 'iPhone 17', exact: true }).waitFor();
  assert.equal((await listColumns(page)).length, 3);
  await close();
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`[CAT-07] keeps names and prices in view, ${width} px wide`, async () => {
    const { page, close } = await openPage(shop, { width, height });
    await visit(page, '/compare?products=iphone-17-pro,iphone-air');
    await page.locator('tbody').last().scrollIntoViewIfNeeded();
    const head = page.getByRole('columnheader', { name: /iPhone Air/ });
    for (const part of [head.getByRole('link', { name: 'iPhone Air' }), head.getByText(/ BTC$/)]) {
      const hit = await part.evaluate((element) => {
        const { left, top, height: tall } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + 5, top + tall / 2));
      });
      assert.ok(hit);
    }
    const [label, value] = [page.locator('tbody th').first(), page.locator('tbody td').first()];
    const [left, right] = [await label.boundingBox(), await value.boundingBox()];
    assert.ok(left && right && left.x + left.width <= right.x + 1 && Math.abs(left.y - right.y) < 2);
    const weights = await page.locator('tbody').evaluateAll((rows) =>
      rows.map((row) => {
        const cell = row.querySelector('td');
        return [row.hasAttribute('data-different'), cell && getComputedStyle(cell).fontWeight];
      }),
    );
    for (const [isDifferent, weight] of weights) assert.equal(weight, isDifferent ? '600' : '400');
    await close();
  });
}

test('[CAT-07] makes four products readable on a phone', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await visit(page, '/compare?products=iphone-17-pro,iphone-air,iphone-17,iphone-16');
  assert.equal((await listColumns(page)).length, 4);
  const region = page.getByRole('region', { name: 'Comparison' });
  const { scrolls, narrowest } = await region.evaluate((element) => ({
    scrolls: element.scrollWidth > element.clientWidth,
    narrowest: Math.min(...[...element.querySelectorAll('tbody td')].map((cell) => cell.clientWidth)),
  }));
  assert.ok(scrolls && narrowest >= 140, `${narrowest} px`);
  // The row header stays visible.
  await region.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  const label = page.locator('tbody th').first();
  const left = await label.evaluate((element) => element.getBoundingClientRect().left);
  assert.ok(left >= 0 && left < 40, `${left} px`);
  await close();
});

test('[CAT-07] keeps the selection while filtering or changing category', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, CATEGORY);
  await getCheckbox(page, 'iPhone 16e').check();
  await getCheckbox(page, 'iPhone 17 Pro').check();
  await page.getByText('2 of 4 selected').waitFor();
  await page.getByLabel('Sort by').selectOption({ label: 'Price: high to low' });
  await page.waitForURL('**?sort=price_desc');
  await page.getByText('2 of 4 selected').waitFor();
  assert.ok(await getCheckbox(page, 'iPhone 16e').isChecked());
  const shelf = page.getByRole('navigation', { name: 'Shop', exact: true });
  await shelf.getByRole('link', { name: 'MacBook' }).click();
  await page.getByRole('heading', { level: 1, name: 'Macbook' }).waitFor();
  assert.equal(await page.getByRole('checkbox', { name: /^Compare /, checked: true }).count(), 0);
  await shelf.getByRole('link', { name: 'iPhone' }).click();
  await page.getByText('2 of 4 selected').waitFor();
  await page.getByRole('button', { name: 'Remove iPhone 16e from the comparison' }).click();
  await page.getByText('Select one more to compare').waitFor();
  assert.equal(await getCheckbox(page, 'iPhone 16e').isChecked(), false);
  assert.ok(await getCheckbox(page, 'iPhone 17 Pro').isChecked());
  await close();
});
