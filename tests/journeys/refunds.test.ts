/** Refund pages of the buyer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { testKey } from '../support/devchain.ts';
import { openRefundShop } from '../support/refund-shop.ts';
import type { RefundShop } from '../support/refund-shop.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: RefundShop;
before(async () => {
  shop = await openRefundShop();
});
after(() => shop.shop.stop());

test('[PAY-13] the buyer confirms an address by mail and follows the refund', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.0095);
  const { page, close } = await openPage(shop.shop, { expectedStatuses: [400] });
  await visit(page, `/login?to=/dashboard/orders/${id}`);
  await logIn(page, buyer.name, 'crypto-market');
  await page.waitForURL(`**/dashboard/orders/${id}`);
  await page.getByText('required').waitFor();
  const { address } = testKey();
  await page.getByLabel('Your Bitcoin address').fill(address);
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Open the link in our mail to confirm it').waitFor();
  await page.getByText('Confirm your refund address with the link in our mail').waitFor();
  await Promise.all([
    page.getByText('Mail sent. Open the link in it').waitFor(),
    page.getByRole('button', { name: 'Resend mail' }).click(),
  ]);
  await assertAccessible(page);

  // The link of the second mail replaces that of the first.
  const listLinks = async () => (await shop.listMailsTo(buyer)).filter((one) => one.includes(address));
  await waitUntil(async () => (await listLinks()).length === 2);
  const [mail = ''] = await listLinks();
  const path = /\/confirm-refund-address\/[\w-]{43}/.exec(mail)?.[0] ?? assert.fail(mail);
  const elsewhere = await openPage(shop.shop, { javaScript: false, expectedStatuses: [400] });
  for (const expected of ['Your address is confirmed', 'This link has expired']) {
    await elsewhere.page.goto(path);
    await elsewhere.page.getByRole('button', { name: 'Confirm' }).click();
    await elsewhere.page.getByRole('heading', { name: expected }).waitFor();
  }
  await elsewhere.close();
  // The buyer returns from the mailbox.
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')));
  await page.getByText('Confirmed. We send refunds to this address.').waitFor();

  const refund = await shop.createRefund(id);
  await page.getByRole('heading', { name: 'Refund', exact: true }).waitFor();
  await page.getByText('Not sent yet').waitFor();
  const { psbt, txid } = shop.sign(refund);
  await shop.post(`/refunds/${textAt(refund, 'id')}/broadcast`, { psbt });
  await page.getByText('Sent, not confirmed yet').waitFor();
  await shop.mine(2);
  await page.getByText('Refund confirmed').first().waitFor();
  await page.getByText(txid).waitFor();
  await assertAccessible(page);
  await close();
});

test('[PAY-13] [OPS-16] staff refund one of two items, and the buyer gets a credit note', async () => {
  const buyer = await shop.createBuyer();
  const { body: products } = await shop.shop.api('GET', '/products?limit=20');
  const other = listAt(products).find((one) => !textAt(one, 'name').startsWith('iPhone')) ?? assert.fail();
  const added = { product_id: textAt(other, 'id'), quantity: 1 };
  assert.equal((await shop.shop.api('POST', '/cart/add', { token: buyer.token, body: added })).status, 200);
  const id = textAt((await shop.checkout(buyer)).body, 'order', 'id');
  await shop.callDemoTool('pay', { order_id: id });
  await shop.mine(6);
  await shop.confirmAddress(buyer, id, testKey().address);

  const staff = await openPage(shop.shop);
  await visit(staff.page, `/login?to=/admin/orders/${id}`);
  await logIn(staff.page, 'staff', 'crypto-market');
  await staff.page.waitForURL(`**/admin/orders/${id}`);
  await staff.page.getByRole('button', { name: 'Refund', exact: true }).click();
  const form = staff.page.locator('form').filter({ has: staff.page.getByRole('button', { name: 'Refund items' }) });
  await form.getByLabel(/^iPhone Air.*, not shipped$/).fill('1');
  await form.getByText('Returns $999.00').waitFor();
  await form.getByLabel('Reason, for staff only').fill('Damaged in our warehouse');
  await form.getByLabel('Paid from').selectOption('any-wallet');
  await form.getByRole('button', { name: 'Refund items' }).click();
  const dialog = staff.page.getByRole('dialog').last();
  await dialog.getByText('at the present bitcoin price').waitFor();
  await dialog.getByRole('button', { name: 'Create refund' }).click();
  await staff.page.getByRole('heading', { name: /^Items: .* BTC not sent yet$/ }).waitFor();
  await assertAccessible(staff.page);
  await staff.page.getByLabel('Transaction id, if it was not detected').fill('ab'.repeat(32));
  await staff.page.getByRole('button', { name: 'Record transaction' }).click();
  await staff.page.getByRole('dialog').getByRole('button', { name: 'Record transaction' }).click();
  await staff.page.getByRole('heading', { name: /^Items: .* BTC recorded as sent$/ }).waitFor();
  await staff.close();

  const { page, close } = await openPage(shop.shop);
  await visit(page, `/login?to=/dashboard/orders/${id}`);
  await logIn(page, buyer.name, 'crypto-market');
  await page.waitForURL(`**/dashboard/orders/${id}`);
  await page.getByText('Partial refund').waitFor();
  await page
    .getByText(/^1 × iPhone Air/)
    .first()
    .waitFor();
  await page.getByText(/^\$999\.00, at the bitcoin price of the refund: \$111,000\.00,/).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Download credit note/ }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^credit-note-CM-CN-/);
  await assertAccessible(page);
  await close();
});

test('[PAY-13] the payment link explains how to get a refund', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.0095);
  const { body } = await shop.shop.api('GET', `/orders/${id}/timeline`, { token: buyer.token });
  const { page, close } = await openPage(shop.shop, { javaScript: false });
  await page.goto(textAt(body, 'pay_path'));
  await page.getByText('enter an address of your own wallet').waitFor();
  const link = page.getByRole('link', { name: 'Log in to enter a refund address' });
  assert.equal(await link.getAttribute('href'), '/login?to=%2Fdashboard%2Forders');
  await close();
});
