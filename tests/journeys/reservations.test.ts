/** Reserved stock, reauthentication of staff, and pages of owners. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { moveClock, signIn, visit } from '../support/buyer.ts';
import { findFirstProduct, createOrder } from '../support/new-order.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { payInBlocks } from '../support/staff-fixtures.ts';
import { setStock } from '../support/stock-stress.ts';

const PASSWORD = 'crypto-market';
let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
});
after(() => shop.stop());

async function openSignedIn(page: Page, username: string, path: string): Promise<void> {
  await signIn(shop, page, username, PASSWORD);
  await visit(page, path);
}

test('[OPS-26] a buyer of scarce items sees that the time is short', async () => {
  await setStock(shop, await findFirstProduct(shop), 1);
  const { username, id } = await createOrder(shop, 'brief-buyer');
  const { page, close } = await openPage(shop);
  await openSignedIn(page, username, `/dashboard/orders/${id}`);
  await page.getByText('Almost sold out').waitFor();
  await page.getByText('Your items are reserved until the payment window ends', { exact: false }).waitFor();
  await assertAccessible(page);
  await close();
});

test('[OPS-26] staff release reserved stock with a reason', async () => {
  await setStock(shop, await findFirstProduct(shop), 1);
  const { number } = await createOrder(shop, 'release-buyer');
  const { page, close } = await openPage(shop);
  await openSignedIn(page, 'staff', '/admin/reservations');
  const order = page.getByRole('listitem').filter({ hasText: number });
  await order.getByText('mail address not confirmed').waitFor();
  await order.getByText('Release stock', { exact: true }).click();
  await order.getByLabel('Reason, for staff only').fill('Never pays');
  await order.getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await order.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-26] a payment action asks for the password in place and continues', async () => {
  await setStock(shop, await findFirstProduct(shop), 1000);
  const order = await createOrder(shop, 'asked-again');
  await payInBlocks(shop, order, -0.0005);
  await moveClock(shop, 7300);
  const { page, close } = await openPage(shop, { expectedStatuses: [401, 403] });
  await openSignedIn(page, 'staff', `/admin/orders/${order.id}`);
  await moveClock(shop, 7300 + 16 * 60);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Accept payment' }).click();
  await main.getByRole('region', { name: 'Accept as paid' }).getByLabel('Reason, for staff only').fill('A gesture');
  await main.getByRole('button', { name: 'Accept as paid' }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('button', { name: 'Accept as paid' }).click();
  await dialog.getByText('Enter your password to continue', { exact: false }).waitFor();
  await assertAccessible(page);
  await dialog.getByLabel('Current password').fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Incorrect password').waitFor();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await main.getByText('Accepted as paid').waitFor();
  await moveClock(shop, 0);
  await close();
});

test('[OPS-01] an owner changes a role, downloads the accounting export, reads settings', async () => {
  await setStock(shop, await findFirstProduct(shop), 1000);
  await createOrder(shop, 'future-clerk');
  const { page, close } = await openPage(shop);
  await openSignedIn(page, 'owner', '/admin/payments');
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  await assertAccessible(page);
  const main = page.getByRole('main');
  await main.getByLabel('Username of the account').fill('future-clerk');
  await main.getByRole('button', { name: 'Give role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('future-clerk becomes: Support', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Give role' }).click();
  await main.getByText('future-clerk@stock.example').waitFor();
  await visit(page, '/admin/accounting');
  await main.getByRole('button', { name: 'Download as CSV' }).click();
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), 'books.csv');
  assert.match(await readFile(await saved.path(), 'utf8'), /order/i);
  await visit(page, '/admin/settings/system');
  await main.getByText('settings of the server', { exact: false }).click();
  await main.getByText('PAYMENT_WINDOW_S').waitFor();
  await close();
});

test('[OPS-01] the owner’s page is 404 for staff', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await openSignedIn(page, 'staff', '/admin/payments');
  assert.equal(await page.getByRole('link', { name: 'Team', exact: true }).count(), 0);
  assert.equal((await page.goto('/admin/owner'))?.status(), 404);
  await visit(page, '/admin/payments');
  await close();
});
