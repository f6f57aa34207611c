/** The colours of product cards. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import '../support/built-pages.ts';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const LIST = '/catalog/category/iphone';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getCard = (page: Page, name = 'iPhone 17 Pro'): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name, exact: true }) });
const getColor = (card: Locator, name: string): Locator =>
  card.getByRole('toolbar', { name: 'Colors' }).getByRole('link', { name, exact: true });
const waitForPicture = (card: Locator, path: string): Promise<void> =>
  card.locator(`img[src$="/iphone-17-pro/${path}-640.avif"]`).waitFor();
const readPath = (card: Locator): Promise<string | null> =>
  card.getByRole('link', { name: 'iPhone 17 Pro', exact: true }).getAttribute('href');
const listHeights = (page: Page): Promise<readonly number[]> =>
  page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));

async function findSku(color: string): Promise<string> {
  const { body } = await shop.api('GET', '/products?q=iphone+17+pro');
  const phone = listAt(body).find((one) => textAt(one, 'slug') === 'iphone-17-pro');
  return textAt(
    listAt(phone, 'colors').find((one) => textAt(one, 'name') === color),
    'sku',
  );
}

test('[CARD-04] pointing at a color changes picture and link until the pointer leaves', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  const shiftsOf = await watchLayoutShifts(page);
  await page.goto(LIST);
  const card = getCard(page);
  const heights = await listHeights(page);
  // On a busy machine the typeface may come after the first paint.
  const whileLoading = (await shiftsOf()).length;
  await getColor(card, 'Deep Blue').hover();
  await waitForPicture(card, 'deep-blue/back');
  const path = `/catalog/product/iphone-17-pro?variant=${await findSku('Deep Blue')}`;
  assert.equal(await readPath(card), path);
  await page.getByRole('heading', { level: 1 }).hover();
  await waitForPicture(card, 'back');
  assert.equal(await readPath(card), '/catalog/product/iphone-17-pro');
  assert.deepEqual(await listHeights(page), heights);
  assert.deepEqual((await shiftsOf()).slice(whileLoading), []);
  await close();
});

test('[CARD-04] a chosen color stays, and is what the card adds and leads to', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto(LIST);
  const card = getCard(page);
  await getColor(card, 'Deep Blue').click();
  await waitForPicture(card, 'deep-blue/back');
  assert.equal(await getColor(card, 'Deep Blue').getAttribute('aria-current'), 'true');
  assert.equal(new URL(page.url()).pathname, LIST);
  await page.getByRole('heading', { level: 1 }).hover();
  await saveScreenshots(page, 'card-colors');
  await assertAccessibleInBothSchemes(page);
  await card.getByRole('button', { name: 'Add iPhone 17 Pro (256GB, Deep Blue) to cart' }).click();
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('1@'));
  await card.getByRole('link', { name: 'iPhone 17 Pro', exact: true }).click();
  await page.getByRole('region', { name: 'Pictures of iPhone 17 Pro in Deep Blue' }).waitFor();
  await page.getByRole('group', { name: /^Quantity of/ }).waitFor();
  await close();
});

test('[CARD-04] the colors of a card are one stop, with arrow keys among them', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844, hasTouch: true });
  await page.goto(LIST);
  const card = getCard(page);
  await card.getByRole('link', { name: 'iPhone 17 Pro', exact: true }).focus();
  await page.keyboard.press('Tab');
  const strip = card.getByRole('toolbar', { name: 'Colors' });
  assert.ok(await strip.evaluate((toolbar) => toolbar === document.activeElement));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await waitForPicture(card, 'deep-blue/back');
  await page.keyboard.press('End');
  await waitForPicture(card, 'silver/back');
  assert.ok(await getColor(card, 'Silver').evaluate((dot) => dot === document.activeElement));
  await page.keyboard.press('Tab');
  assert.equal(
    await page.evaluate(() => document.activeElement?.closest('article')?.querySelector('h3')?.textContent),
    'iPhone 17 Pro',
  );
  await getColor(card, 'Deep Blue').tap();
  await waitForPicture(card, 'deep-blue/back');
  await close();
});

test('[CARD-04] without JavaScript a color leads to the product in it', async () => {
  const { page, close } = await openPage(shop, { javaScript: false });
  await page.goto(LIST);
  await getColor(getCard(page), 'Silver').click();
  await page.waitForURL('**/iphone-17-pro?variant=*');
  await page.getByRole('region', { name: 'Pictures of iPhone 17 Pro in Silver' }).waitFor();
  assert.ok(await page.getByRole('radio', { name: 'Silver' }).isChecked());
  await close();
});

test('[CARD-04] colors lead to the product if their pictures cannot be loaded', async () => {
  const { page, context, getProblems } = await openPage(shop, { width: 1440, expectedStatuses: [503] });
  await page.route('**/api/product-cards?*', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.goto(LIST);
  const failed = page.waitForEvent('console', (message) => message.text().includes('colours of a card'));
  await getColor(getCard(page), 'Deep Blue').hover();
  await failed;
  await getColor(getCard(page), 'Deep Blue').click();
  await page.waitForURL('**/iphone-17-pro?variant=*');
  await context.close();
  assert.deepEqual(
    getProblems().filter((line) => !line.includes('colours of a card')),
    [],
  );
});
