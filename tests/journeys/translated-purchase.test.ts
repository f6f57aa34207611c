/** A purchase on pages that the browser translates. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { callAs, createBuyer, getOpenOrderId, logIn, pollNow, visit } from '../support/buyer.ts';
import { waitForTranslation, translatePages } from '../support/pages/translate-page.ts';
import { textAt, valueAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[LAY-17] [BILL-02] a purchase completes on translated pages', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  await translatePages(page);
  const username = await createBuyer(shop);
  await visit(page, '/');
  await waitForTranslation(page);
  await page.getByRole('link', { name: 'iPhone Air', exact: true }).first().click();
  await page.waitForURL('**/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Cart, has items' }).click();
  await page.getByRole('button', { name: 'Decrease quantity' }).click();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.waitForURL('**/login?**');
  await logIn(page, username);

  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  for (const [label, text] of [
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['Street address', 'Elm Street'],
    ['House number', '45'],
    ['City', 'London'],
    ['Postcode', 'W8 4QG'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  // Chosen by place, as a person does who reads translated names.
  await page.getByLabel('Region').selectOption({ index: 1 });
  await page.getByLabel('Country').selectOption('GB');
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();

  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  const orderId = await getOpenOrderId(shop, page);
  assert.equal(valueAt(await callAs(shop, page, 'GET', '/orders'), 'order', 'billing', 'region'), 'Europe');
  const paid = await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await pollNow(page);
  await page.getByText(textAt(paid.body, 'txid')).waitFor();
  await shop.api('POST', '/dev/mine', { body: { blocks: 2 } });
  await pollNow(page);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await page.getByRole('link', { name: 'View order and receipt' }).click();
  await page.getByRole('heading', { level: 1, name: /^Order CM-/ }).waitFor();
  await close();
});
