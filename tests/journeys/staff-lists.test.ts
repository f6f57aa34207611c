/** Lists of the back office: tables, cards on phones, filters that apply at once, columns, sorting and selection. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { createOrder } from '../support/new-order.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { payInBlocks } from '../support/staff-fixtures.ts';
import { BILLING } from '../support/stress-buyer.ts';
import { saveScreenshots } from '../support/screenshots.ts';

/** More than a window is high. */
const ORDERS = 14;

let shop: TestShop;
const numbers: string[] = [];
before(async () => {
  shop = await startTestShop();
  for (let index = 0; index < ORDERS; index += 1) {
    const billing = index === 0 ? { ...BILLING, firstName: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2) } : BILLING;
    const order = await createOrder(shop, `listed-${index}`, billing, 1 + (index % 3));
    numbers.unshift(order.number);
    if (index % 2 === 0) await payInBlocks(shop, order, 0);
  }
});
after(() => shop.stop());

async function openList(path: string, options: PageOptions = {}) {
  const opened = await openPage(shop, { width: 1440, height: 700, ...options });
  await signIn(shop, opened.page, 'staff', 'crypto-market');
  await visit(opened.page, path);
  return opened;
}

/** Texts of a column, which has a title of its own. */
const readColumn = (page: Page, index: number): Promise<string[]> =>
  page.locator(`tbody tr > :nth-child(${index})`).allInnerTexts();

test('[OPS-30] figures of a list end below each other, and its head stays in view', async () => {
  const { page, close } = await openList('/admin/orders');
  const ends = await page
    .getByRole('table', { name: 'Orders' })
    .locator('tbody td:nth-last-child(2) p:first-child')
    .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().right)));
  assert.equal(ends.length, ORDERS);
  assert.equal(new Set(ends).size, 1, `totals end at ${ends.join()}`);
  await page.evaluate(() => window.scrollTo(0, 400));
  const title = page.getByRole('columnheader', { name: 'Total' });
  await page.waitForFunction(() => window.scrollY > 100);
  const { y = -1 } = (await title.boundingBox()) ?? {};
  assert.ok(y >= 50 && y < 70, `the head is at ${y} px, below the header`);
  await saveScreenshots(page, 'orders');
  await assertAccessibleInBothSchemes(page);
  await close();
});

test('[OPS-30] the title of a column sorts by it, and back', async () => {
  const { page, close } = await openList('/admin/orders');
  const readTotals = async () =>
    (await page.locator('tbody td:nth-last-child(2) p:first-child').allInnerTexts()).map((text) =>
      Number(text.replaceAll(/[$,]/g, '')),
    );
  const header = page.getByRole('columnheader', { name: 'Total' });
  await header.getByRole('link').click();
  await page.locator('th[aria-sort="descending"]', { hasText: 'Total' }).waitFor();
  const highest = await readTotals();
  assert.deepEqual(
    highest,
    highest.toSorted((a, b) => b - a),
  );
  await header.getByRole('link').click();
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Total' }).waitFor();
  assert.deepEqual(await readTotals(), highest.toReversed());
  await close();
});

test('[OPS-30] hidden columns stay hidden for the account', async () => {
  const { page, close } = await openList('/admin/orders');
  await page.getByRole('button', { name: 'Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  assert.equal(await dialog.getByLabel('Order', { exact: true }).isDisabled(), true);
  await dialog.getByLabel('Recipient').uncheck();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await page.getByRole('columnheader', { name: 'Recipient' }).waitFor({ state: 'detached' });
  await signIn(shop, page, 'owner', 'crypto-market');
  await visit(page, '/admin/orders');
  await page.getByRole('columnheader', { name: 'Recipient' }).waitFor();
  await close();
});

test('[OPS-30] filters apply at once and are removed one by one', async () => {
  const { page, close } = await openList('/admin/orders');
  const chosen = page.getByRole('list', { name: 'Chosen filters' });
  const status = page.getByLabel('Status', { exact: true });
  await status.focus();
  await status.selectOption('Paid');
  await page.getByRole('heading', { level: 1, name: 'Orders 7' }).waitFor();
  await status.and(page.locator(':focus')).waitFor();
  await page.getByLabel('Shipping', { exact: true }).selectOption('Shipped');
  await page.getByText('No order matches.').waitFor();
  await saveScreenshots(page, 'filtered');
  assert.deepEqual(await chosen.getByRole('link').allInnerTexts(), [
    'Status: Paid',
    'Shipping: Shipped',
    'Remove all filters',
  ]);
  await chosen.getByRole('link', { name: 'Remove the filter Shipping: Shipped' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders 7' }).waitFor();
  assert.equal(await page.getByLabel('Shipping', { exact: true }).inputValue(), '');
  await chosen.getByRole('link', { name: 'Remove the filter Status: Paid' }).click();
  await page.getByRole('heading', { level: 1, name: `Orders ${ORDERS}` }).waitFor();
  await chosen.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-30] a phone has cards and one button for the filters', async () => {
  const { page, close } = await openList('/admin/orders', { width: 390, height: 844 });
  assert.equal(await page.getByRole('columnheader').count(), 0);
  const [first = ''] = numbers;
  await page.getByRole('row').filter({ hasText: first }).getByText('$').first().waitFor();
  const button = page.getByRole('button', { name: 'Filters', exact: true });
  assert.equal(await page.getByLabel('Status', { exact: true }).isVisible(), false);
  await button.click();
  await page.getByLabel('Status', { exact: true }).selectOption('Paid');
  await page.getByLabel('Shipping', { exact: true }).selectOption('Not shipped');
  await saveScreenshots(page, 'phone-filters');
  await page.getByRole('button', { name: 'Search' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'Orders 7' }).waitFor();
  await page.getByRole('button', { name: 'Filters (2)' }).waitFor();
  assert.equal(await page.getByLabel('Status', { exact: true }).isVisible(), false);
  await assertAccessibleInBothSchemes(page);
  await close();
});

test('[OPS-30] Shift selects a range, and the bar of the selection stays in view', async () => {
  const { page, close } = await openList('/admin/orders?queue=to-ship');
  const boxes = page.getByRole('checkbox', { name: /^Choose / });
  await boxes.nth(1).check();
  await boxes.nth(4).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('group', { name: 'Selected' });
  await bar.getByText('4 selected').waitFor();
  const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
  assert.ok(y > 0 && y + height <= 700, `the bar is at ${y} px`);
  await saveScreenshots(page, 'selected');
  await assertAccessibleInBothSchemes(page);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar.getByText('7 selected').waitFor();
  await bar.getByRole('button', { name: 'Clear' }).click();
  await bar.waitFor({ state: 'hidden' });
  await boxes.nth(5).check();
  await boxes.nth(3).click({ modifiers: ['Shift'] });
  const chosen = (await readColumn(page, 2)).slice(3, 6);
  await bar.getByRole('button', { name: 'Pick list' }).click();
  await page.getByRole('heading', { level: 1, name: 'Pick list' }).waitFor();
  const text = await page.getByRole('main').innerText();
  for (const number of chosen) assert.ok(text.includes(number.trim()), `${number} is on the list`);
  await close();
});

test('[OPS-30] the other lists are tables too, and products are selected in theirs', async () => {
  const { page, close } = await openList('/admin/products');
  const lists = {
    products: ['Product', 'State', 'Category', 'Brand', 'Price', 'Sold'],
    customers: ['Customer', 'Email address', 'Since', 'State', 'Orders'],
    invoices: ['Number', 'Order', 'Customer', 'Issued', 'Total', 'Tax', 'Document'],
    promotions: ['Code', 'State', 'Dates', 'Uses'],
  };
  for (const [name, titles] of Object.entries(lists)) {
    await visit(page, `/admin/${name}`);
    assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), titles, name);
    await saveScreenshots(page, name);
  }
  await visit(page, '/admin/products');
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
  await boxes.nth(0).check();
  await boxes.nth(2).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('group', { name: 'Selected' });
  await bar.getByLabel('Change 3 selected').selectOption('Withdraw');
  await saveScreenshots(page, 'products-selected');
  await bar.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await bar.getByRole('button', { name: 'Clear' }).click();
  await bar.waitFor({ state: 'hidden' });
  await close();
});
