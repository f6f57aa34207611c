/** The orders of an account, and the page and receipt of each. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import {
  openCartAsBuyer,
  callAs,
  fillBilling,
  mine,
  getOpenOrderId,
  payOrder,
  placeOrder,
  visit,
} from '../support/buyer.ts';
import { textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[DASH-03] the list shows items, status, promo and total, gifts marked', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await callAs(shop, page, 'POST', '/promocodes/apply', { code: 'GIFT' });
  await visit(page, '/cart');
  const orderId = await placeOrder(shop, page);
  await visit(page, '/dashboard/orders');
  await page.getByRole('heading', { level: 1, name: 'Your orders 1' }).waitFor();
  const card = page.getByRole('article', { name: /^CM-\d+$/ });
  await card.getByText('Pending', { exact: true }).waitFor();
  await card.getByText('Free item · Free product included').waitFor();
  const [phone, gift] = [card.getByRole('listitem').first(), card.getByRole('listitem').filter({ hasText: 'FREE' })];
  assert.equal(await card.getByRole('listitem').count(), 2);
  const paidFor = card.getByRole('listitem').filter({ hasText: 'iPhone Air' });
  assert.match(await paidFor.innerText(), /iPhone Air\s+x 1[\s\S]*0\.009000 BTC\s+\$999\.00$/);
  assert.match(await gift.innerText(), /FREE GIFT\s+FREE$/);
  assert.equal(await phone.getByRole('presentation').count(), 1);
  assert.match(await card.innerText(), /Total\s+0\.009000 BTC\s+\$999\s/);
  await card.getByRole('link', { name: /^Pay order CM-/ }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await visit(page, '/dashboard/orders');
  await card.getByText('Paid', { exact: true }).waitFor();
  assert.equal(await card.getByRole('link', { name: /^Pay order/ }).count(), 0);
  await card.getByRole('link', { name: /^View order CM-/ }).click();
  await page.waitForURL(`**/dashboard/orders/${orderId}`);
  await close();
});

test('[DASH-03] lists the newest ten orders and loads more', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const billing = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    region: 'Europe',
    country: 'GB',
    streetAddress: 'Elm Street',
    houseNumber: '45',
    city: 'London',
    postcode: 'W8 4QG',
  };
  for (let made = 0; made < 12; made += 1) {
    const order = await callAs(shop, page, 'POST', '/cart/checkout', billing);
    await callAs(shop, page, 'POST', `/orders/${textAt(order, 'order', 'id')}/cancel`);
  }
  await visit(page, '/dashboard/orders');
  await page.getByRole('heading', { level: 1, name: 'Your orders 12' }).waitFor();
  const cards = page.getByRole('article');
  assert.equal(await cards.count(), 10);
  assert.equal(await cards.getByText('Cancelled', { exact: true }).count(), 10);
  await page.getByRole('link', { name: 'Show older orders' }).click();
  await cards.nth(11).waitFor();
  await page.getByRole('link', { name: 'Show older orders' }).waitFor({ state: 'detached' });
  await close();
});

test('[DASH-04] shows an order’s details and prints a one-page receipt', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const txid = await payOrder(shop, orderId);
  await visit(page, `/dashboard/orders/${orderId}`);
  await page.getByText('Payment seen', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Print receipt' }).count(), 0, 'nothing is paid yet');
  await mine(shop, 2);
  // Without a reload.
  await page.getByText('Payment confirmed', { exact: true }).waitFor();
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Print receipt' }).waitFor();
  await main.getByRole('heading', { level: 1, name: /^Order CM-\d+$/ }).waitFor();
  const pageText = await main.innerText();
  for (const part of [
    'Order placed',
    txid,
    'Ada Lovelace',
    'Elm Street 45',
    'United Kingdom',
    '1 BTC = $111,000.00',
    '$999.00',
  ]) {
    assert.ok(pageText.includes(part), part);
  }
  await page.emulateMedia({ media: 'print' });
  const printed = await page.locator('body').innerText();
  for (const part of [
    'Receipt',
    'Paid',
    'CM-',
    txid,
    '0.009000 BTC',
    '$999',
    '1 BTC = $111,000.00',
    'Ada Lovelace',
    '45 Elm Street',
  ]) {
    assert.ok(printed.includes(part), `printed: ${part}`);
  }
  for (const part of ['Print receipt', 'Catalog', 'Timeline', 'Free shipping', 'Copy']) {
    assert.ok(!printed.includes(part), `not printed: ${part}`);
  }
  const pdf = (
    await page.pdf({ format: 'A4', margin: { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' } })
  ).toString('latin1');
  assert.equal([...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length, 1, 'one page');
  await close();
});

test('[DASH-03] [DASH-04] [ACC-10] handles no orders, foreign orders and guests', async () => {
  const first = await openPage(shop);
  await openCartAsBuyer(shop, first.page);
  await placeOrder(shop, first.page);
  const foreign = await getOpenOrderId(shop, first.page);
  await first.close();

  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await page.goto(`/dashboard/orders/${foreign}`);
  await page.waitForURL(`**/login?to=${encodeURIComponent(`/dashboard/orders/${foreign}`)}`);
  await page.goto('/dashboard/orders');
  await page.waitForURL('**/login?to=%2Fdashboard%2Forders');
  await openCartAsBuyer(shop, page);
  await visit(page, '/dashboard/orders');
  await page.getByText('No orders yet').waitFor();
  for (const id of [foreign, '00000000-0000-7000-8000-000000000000', 'x']) {
    const response = await page.goto(`/dashboard/orders/${id}`);
    assert.equal(response?.status(), 404, id);
  }
  await close();
});

test('[BILL-04] offers the last billing details; phone and note are optional', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByLabel('Phone (optional)').fill('+44 20 7946 0000');
  await page.getByLabel('Note for the courier (optional)').fill('The bell is broken, please knock');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  assert.equal(await page.getByLabel('Phone (optional)').inputValue(), '+44 20 7946 0000', 'the entered text is kept');
  await fillBilling(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  const order = await callAs(shop, page, 'GET', '/orders');
  assert.equal(textAt(order, 'order', 'billing', 'note'), 'The bell is broken, please knock');
  await visit(page, `/dashboard/orders/${textAt(order, 'order', 'id')}`);
  await page.getByText('+44 20 7946 0000').waitFor();
  await visit(page, '/cart');
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  await visit(page, '/cart');
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByText('Filled in from your last order.', { exact: false }).waitFor();
  assert.equal(await page.getByLabel('First name').inputValue(), 'Ada');
  assert.equal(await page.getByLabel('Country').inputValue(), 'GB');
  assert.equal(await page.getByLabel('Phone (optional)').inputValue(), '+44 20 7946 0000');
  assert.equal(await page.getByLabel('Note for the courier (optional)').inputValue(), '');
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await close();
});
