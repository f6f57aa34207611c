/** The SKU of a line, wherever buyers and staff see an order. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { callAs, mine, openCartAsBuyer, payOrder, placeOrder, signIn, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[OPS-08] cart, order, receipt and mail of a purchase show the SKU', async () => {
  const { page, close } = await openPage(shop);
  const username = await openCartAsBuyer(shop, page);
  const cart = await callAs(shop, page, 'GET', '/cart');
  const label = `SKU ${textAt(cart, 'cart_items', 0, 'sku')}`;
  await visit(page, '/cart');
  const main = page.getByRole('main');
  await main.getByRole('listitem').getByText(label, { exact: true }).waitFor();

  const orderId = await placeOrder(shop, page);
  await page.getByRole('complementary', { name: 'Cart Totals' }).getByText(label, { exact: true }).waitFor();
  await payOrder(shop, orderId);
  await mine(shop, 6);
  await visit(page, `/dashboard/orders/${orderId}`);
  await page.getByRole('button', { name: 'Print receipt' }).waitFor();
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media });
    await page.getByRole('region', { name: 'Items' }).getByText(label, { exact: true }).waitFor();
  }
  await page.emulateMedia({ media: 'screen' });
  await visit(page, '/dashboard/orders');
  await main.getByText(label, { exact: true }).first().waitFor();

  const findReceipt = async () => {
    const mails = listAt((await shop.api('GET', `/dev/mail?to=${username}@example.com`)).body);
    return mails.find((mail) => textAt(mail, 'subject').startsWith('Receipt'));
  };
  await waitUntil(async () => (await findReceipt()) !== undefined);
  const receipt = await findReceipt();
  for (const part of ['text', 'html']) {
    assert.ok(
      textAt(receipt, part)
        .replaceAll(/<[^>]*>/g, '')
        .includes(label),
      part,
    );
  }
  await close();

  const staff = await openPage(shop);
  await signIn(shop, staff.page, 'staff', 'crypto-market');
  await visit(staff.page, `/admin/orders/${orderId}`);
  await staff.page.getByRole('region', { name: 'Items' }).getByText(label, { exact: true }).waitFor();
  await staff.close();
});
