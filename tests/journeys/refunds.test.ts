/** Refund pages of the buyer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { testKey } from '../support/devchain.ts';
import { openRefundShop } from '../support/refund-shop.ts';
import type { RefundShop } from '../support/refund-shop.ts';
import { textAt } from '../support/read-json.ts';
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

  await waitUntil(async () => (await shop.listMailsTo(buyer)).some((mail) => mail.includes(address)));
  const mail = (await shop.listMailsTo(buyer)).find((one) => one.includes(address)) ?? '';
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
