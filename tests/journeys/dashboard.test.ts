import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, logIn, createBuyer, placeOrder, visit } from '../support/buyer.ts';
import { textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[DASH-01] [FMT-01] counts orders, lists the newest, links an open one', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'View your orders' }).click();
  await page.getByRole('heading', { name: 'Your orders 1' }).waitFor();
  await page.goto('/dashboard');
  const row = main.getByRole('listitem');
  assert.equal(await row.count(), 1);
  assert.match(await row.innerText(), /^CM-\d+\s[\s\S]*Awaiting payment[\s\S]*\d\.\d{6} BTC\s+\$\d+$/);
  await row.getByRole('link', { name: 'Awaiting payment' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();

  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
  await page.goto('/dashboard');
  await main.getByText('Paid', { exact: true }).waitFor();
  await row.getByRole('link', { name: /^CM-/ }).click();
  await page.waitForURL(`**/dashboard/orders/${orderId}`);
  await close();
});

test('[DASH-01] counts tickets that are not closed and lists closed ones', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, '/login');
  await logIn(page, await createBuyer(shop));
  await page.waitForURL('**/dashboard');
  const card = page.getByRole('region', { name: 'Your active tickets' });
  await card.getByText('0', { exact: true }).waitFor();
  assert.equal(await card.getByRole('link', { name: 'View your tickets' }).count(), 0);
  const words = { title: 'A parcel', theme: 'Delivery', description: 'Where is it?' };
  const closed = textAt(await callAs(shop, page, 'POST', '/tickets/create', words), 'id');
  await callAs(shop, page, 'POST', '/tickets/create', words);
  await page.reload();
  await card.getByText('2', { exact: true }).waitFor();
  const account = { username: 'staff', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body: account })).body, 'tokens', 'accessToken');
  assert.equal((await shop.api('POST', `/support/tickets/${closed}/close`, { token })).status, 200);
  await page.reload();
  await card.getByText('1', { exact: true }).waitFor();
  await card.getByRole('link', { name: 'View your tickets' }).click();
  await page.waitForURL('**/dashboard/tickets');
  await close();
});

test('pages of an account with an open order are accessible on a phone', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  for (const path of ['/dashboard', '/dashboard/orders', '/dev/wallet']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await assertAccessibleInBothSchemes(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), path);
  }
  await close();
});
