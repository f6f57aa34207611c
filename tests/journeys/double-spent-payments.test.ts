/**
 * A double-spent payment in the browser: the buyer pays again, staff close a shipped order as a
 * loss.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { mine, payOrder, signIn, visit } from '../support/buyer.ts';
import { createOrder } from '../support/new-order.ts';
import type { NewOrder } from '../support/new-order.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';

let shop: TestShop;
before(async () => {
  // Blocks are mined on request: the depth of a payment must not depend on time.
  shop = await startTestShop({ settings: { DEVCHAIN_AUTOMINE: 'off' } });
});
after(() => shop.stop());

async function callDemoTool(path: string, body: unknown): Promise<unknown> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
/** Paid, then replaced by a conflict with the required confirmations. */
async function doubleSpent(name: string, isShipped = false): Promise<NewOrder> {
  const order = await createOrder(shop, name);
  const txid = textAt(await callDemoTool('pay', { order_id: order.id }), 'txid');
  await mine(shop, 2);
  if (isShipped) {
    const token = await getStaffToken(shop);
    const { status } = await shop.api('POST', `/orders/${order.id}/ship`, { token, body: {} });
    assert.equal(status, 200);
  }
  await callDemoTool('reorg', { depth: 2 });
  await callDemoTool('replace', { txid });
  await mine(shop, 2);
  return order;
}
async function openSignedIn(page: Page, path: string, name: string, password: string): Promise<void> {
  await signIn(shop, page, name, password);
  await visit(page, path);
}

test('[PAY-14] the buyer of a double-spent payment pays a new quote', async () => {
  const order = await doubleSpent('spent-twice');
  const { page, close } = await openPage(shop);
  await openSignedIn(page, `/dashboard/orders/${order.id}`, order.username, 'crypto-market');
  const main = page.getByRole('main');
  await main.getByText('Your payment will not return').waitFor();
  await main.getByRole('button', { name: 'Cancel order' }).waitFor();
  assert.equal(await main.getByText('don’t send', { exact: false }).count(), 0);
  await assertAccessible(page);
  await main.getByRole('button', { name: 'Get a new price' }).click();
  await page.waitForURL('**/cart');
  await main.getByText('Your last payment will not arrive').waitFor();
  await main.getByRole('link', { name: 'Open in wallet' }).waitFor();
  await payOrder(shop, order.id);
  await mine(shop, 2);
  await main.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await close();
});

test('[PAY-14] staff close an order as a loss with a reason', async () => {
  const order = await doubleSpent('sent-unpaid', true);
  const { page, close } = await openPage(shop);
  await openSignedIn(page, `/admin/orders/${order.id}`, 'staff', 'crypto-market');
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'Shipped, but not paid' }).waitFor();
  await main.getByText('Double-spent: its coins', { exact: false }).waitFor();
  await main.getByRole('button', { name: 'Record the loss' }).click();
  await main.getByLabel('Reason, for staff only').fill('The buyer does not answer');
  await main.getByRole('button', { name: 'Close as a loss' }).click();
  await assertAccessible(page);
  await page.getByRole('dialog').last().getByRole('button', { name: 'Close as a loss' }).click();
  await main.getByText('Closed as a loss', { exact: true }).waitFor();
  assert.equal(await main.getByRole('button', { name: 'Close as a loss' }).count(), 0);
  await main.getByText('The buyer does not answer').waitFor();
  await close();
});
