/** The order page of staff: what comes first, drawers that keep what was typed, and the way to other orders. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { moveClock, signIn, visit } from '../support/buyer.ts';
import { createOrder } from '../support/new-order.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { createOverpaidOrder, payInBlocks } from '../support/staff-fixtures.ts';
import { BILLING } from '../support/stress-buyer.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { resize } from '../support/pages/frames.ts';

const SCREENS = [
  { width: 1366, height: 768, most: 300 },
  { width: 390, height: 844, most: 500 },
] as const;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAsStaff(path: string, options: PageOptions = {}) {
  const opened = await openPage(shop, { width: 1366, height: 768, ...options });
  await signIn(shop, opened.page, 'staff', 'crypto-market');
  await visit(opened.page, path);
  return opened;
}

/** Height at which the first item of an order begins, on each screen. */
async function assertItemsBeginEarly(page: Page, name: string): Promise<void> {
  await saveScreenshots(page, name);
  for (const { most, ...screen } of SCREENS) {
    await resize(page, screen.width, screen.height);
    const { y = most } =
      (await page.getByRole('region', { name: 'Items' }).getByRole('listitem').first().boundingBox()) ?? {};
    assert.ok(y < most, `${name}: the first item begins at ${y} px of ${screen.width} × ${screen.height}`);
  }
}

test('[OPS-30] items begin above 300 px on a laptop and 500 px on a phone, whatever comes next', async () => {
  const partly = await createOrder(shop, 'early-in-part');
  await payInBlocks(shop, partly, -0.0005);
  const late = await createOrder(shop, 'early-unpaid');
  await moveClock(shop, 7300);
  const paid = await createOrder(shop, 'early-paid');
  await payInBlocks(shop, paid, 0);
  const over = await createOverpaidOrder(shop, 'early-over');
  const { page, close } = await openAsStaff('/admin');
  for (const [name, { id }] of Object.entries({ partly, late, paid, over })) {
    await visit(page, `/admin/orders/${id}`);
    await assertItemsBeginEarly(page, name);
  }
  await assertAccessibleInBothSchemes(page);
  await moveClock(shop, 0);
  await close();
});

test('[OPS-30] the next action of a paid order leads to its parcel, then to its delivery', async () => {
  const order = await createOrder(shop, 'next-action', BILLING, 2);
  await payInBlocks(shop, order, 0);
  const { page, close } = await openAsStaff(`/admin/orders/${order.id}`);
  const main = page.getByRole('main');
  await main.getByRole('region', { name: 'Ready to ship' }).getByText(/^2 × /).waitFor();
  await main.getByRole('link', { name: 'Ship', exact: true }).click();
  await main.getByLabel('Carrier').and(page.locator(':focus')).waitFor();
  await main.getByRole('button', { name: 'Mark as shipped' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
  await main.getByRole('link', { name: 'Confirm delivery' }).click();
  await main.getByRole('button', { name: 'Mark as delivered' }).and(page.locator(':focus')).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as delivered' }).click();
  await main.getByRole('region', { name: 'Delivered' }).getByText('Nothing to do.').waitFor();
  await close();
});

test('[OPS-30] closing a drawer loses nothing that was typed', async () => {
  const { id } = await createOverpaidOrder(shop, 'typed-in-drawer');
  const { page, close } = await openAsStaff(`/admin/orders/${id}`);
  const drawer = page.getByRole('dialog', { name: 'Refund' });
  const field = drawer.getByLabel('Transaction id', { exact: true });
  const open = () => page.getByRole('button', { name: 'Refund', exact: true }).click();
  await open();
  await field.fill('ab'.repeat(20));
  await saveScreenshots(page, 'drawer');
  await assertAccessibleInBothSchemes(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Refund', exact: true }).and(page.locator(':focus')).waitFor();
  await open();
  assert.equal(await field.inputValue(), 'ab'.repeat(20));
  // A confirmation that is left returns to the drawer.
  await drawer.getByRole('button', { name: 'Create refund' }).click();
  await page.getByRole('dialog', { name: 'Create this refund?' }).getByRole('button', { name: 'Not now' }).click();
  assert.equal(await field.inputValue(), 'ab'.repeat(20));
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await close();
});

test('[OPS-30] previous and next follow the list that one came from, otherwise the numbers', async () => {
  const first = await createOrder(shop, 'listed-first');
  const between = await createOrder(shop, 'between-them');
  const last = await createOrder(shop, 'listed-last');
  const { page, close } = await openAsStaff(`/admin/orders/${between.id}`);
  await page.getByRole('link', { name: `Previous order, ${last.number}` }).waitFor();
  await page.getByRole('link', { name: `Next order, ${first.number}` }).waitFor();
  await visit(page, '/admin/orders?q=listed');
  await page.getByRole('main').getByRole('link', { name: last.number }).click();
  await page.getByRole('heading', { level: 1, name: `Order ${last.number}` }).waitFor();
  assert.equal(await page.getByRole('link', { name: /^Previous order/ }).count(), 0);
  await page.getByRole('link', { name: `Next order, ${first.number}` }).click();
  await page.getByRole('heading', { level: 1, name: `Order ${first.number}` }).waitFor();
  await page.getByRole('link', { name: `Previous order, ${last.number}` }).waitFor();
  await close();
});
