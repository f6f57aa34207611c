/** Transaction look-up and rescans by staff, in the browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, createBuyer, signIn, visit } from '../support/buyer.ts';
import { createOrder } from '../support/new-order.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAsStaff(page: Page, path: string): Promise<void> {
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, path);
}

test('[OPS-25] finds the order of a payment by its transaction id', async () => {
  const order = await createOrder(shop, 'where-is-it');
  const { body } = await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 1 } });
  const { page, close } = await openPage(shop);
  await openAsStaff(page, '/admin/chain');
  const main = page.getByRole('main');
  await main.getByLabel('Transaction id').fill(` ${textAt(body, 'txid').toUpperCase()} `);
  await main.getByRole('button', { name: 'Look up' }).click();
  await main.getByText('In a block, but it needs more confirmations for this order.').waitFor();
  await main.getByRole('link', { name: `order ${order.number}` }).waitFor();
  await assertAccessible(page);
  await saveScreenshots(page, 'found');
  await main.getByLabel('Transaction id').fill('ab'.repeat(32));
  await main.getByRole('button', { name: 'Look up' }).click();
  await main.getByText('Not found by the shop or the node.', { exact: false }).waitFor();
  await main.getByLabel('Transaction id').fill('not a transaction');
  await main.getByRole('button', { name: 'Look up' }).click();
  await main.getByText('Enter a transaction id: 64 characters', { exact: false }).waitFor();
  await saveScreenshots(page, 'wrong');
  await close();
});

test('[OPS-25] a rescan is confirmed first, and its end is shown', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await openAsStaff(page, '/admin/chain');
  const main = page.getByRole('main');
  await main.getByLabel('From block').fill('1');
  await main.getByRole('button', { name: 'Rescan', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rescan' }).click();
  await main.getByText(/Done blocks 1 to \d+ · 0 payments found/).waitFor();
  await assertAccessible(page);
  await saveScreenshots(page, 'rescanned');
  await main.getByLabel('From block').fill('999999999');
  await main.getByRole('button', { name: 'Rescan', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rescan' }).click();
  await page.getByRole('dialog').getByText('The chain has not reached this height yet.').waitFor();
  await close();
});

test('[OPS-01] customers do not find the chain page', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await page.goto('/admin/chain');
  assert.equal(new URL(page.url()).pathname, '/login');
  await visit(page, '/login');
  await logIn(page, await createBuyer(shop));
  await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor();
  assert.equal((await page.goto('/admin/chain'))?.status(), 404);
  await close();
});
