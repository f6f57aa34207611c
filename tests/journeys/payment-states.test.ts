/** Each state of the payment screen, reached on the devchain without a reload. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, mine, moveClock, payOrder, placeOrder, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const AFTER_THE_WINDOW_S = 7300;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
afterEach(() => moveClock(shop, 0));
after(() => shop.stop());

/** The live region: announcements about the payment. */
const getStatus = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: /./ }).first();
const waitForTitle = (page: Page, text: string) => getStatus(page).getByText(text, { exact: true }).waitFor();
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

test('[PAY-01] [PAY-08] [PAY-09] the page follows seen, confirming and paid to the receipt', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await waitForTitle(page, 'Waiting for your payment');
  await page.getByText('1 BTC = $111,000.00, valid until').waitFor();
  const txid = await payOrder(shop, orderId);
  await waitForTitle(page, 'Payment seen');
  await page.getByText(txid).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Open in wallet' }).count(), 0, 'nothing is asked for any more');
  assert.equal(await page.getByRole('button', { name: 'Cancel order' }).count(), 0);
  await mine(shop, 1);
  await waitForTitle(page, '1 of 2 confirmations');
  assert.equal(await page.getByRole('progressbar', { name: 'Confirmations' }).getAttribute('value'), '1');
  await assertAccessible(page);
  await Promise.all([page.getByText('Payment confirmed!').waitFor(), mine(shop, 1)]);
  await waitForHeading(page, 'Order paid.');
  await page.getByRole('link', { name: 'View order and receipt' }).click();
  await page.waitForURL(`**/dashboard/orders/${orderId}`);
  await close();
});

test('[PAY-08] [PAY-09] underpaid shows the missing amount with its own code', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId, 0.00412345);
  await waitForTitle(page, '0.00487655 BTC still missing');
  await page.getByText(/^QR code: pay 0\.00487655 BTC to bcrt1q/).waitFor({ state: 'attached' });
  await page.getByText('487,655 sats').waitFor();
  assert.match((await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? '', /0\.00487655/);
  assert.equal(await page.getByRole('button', { name: 'Cancel order' }).count(), 0);
  await payOrder(shop, orderId);
  await waitForTitle(page, 'Payment seen');
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await close();
});

test('[PAY-09] [PAY-13] overpaid shows the surplus and takes a refund address', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId, 0.0095);
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await page.getByText('You sent 0.000500 BTC more than the amount due').waitFor();
  const address = page.getByLabel('Your Bitcoin address');
  await address.fill('not an address');
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.waitForFunction(() => document.querySelector('[name=refundAddress]')?.ariaInvalid === 'true');
  const own = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  await address.fill(own);
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Open the link in our mail').waitFor();
  await assertAccessible(page);
  await page.reload();
  await page.waitForFunction(
    (value) => document.querySelector<HTMLInputElement>('[name=refundAddress]')?.value === value,
    own,
  );
  await close().catch((error: unknown) => {
    // The expected refusal is logged.
    assert.match(String(error), /the refund address was not saved/);
  });
});

test('[PAY-09] replaced shows the reason and requests the amount again', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const txid = await payOrder(shop, orderId);
  await waitForTitle(page, 'Payment seen');
  await shop.api('POST', '/dev/replace', { body: { txid } });
  await waitForTitle(page, 'Your payment was replaced');
  await page.getByText('Replaced by another transaction').waitFor();
  await page.getByText(txid).waitFor();
  await page.getByText(/^QR code: pay 0\.009000 BTC/).waitFor({ state: 'attached' });
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await close();
});

test('[PAY-10] [PAY-11] an expired order is requoted and paid', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await moveClock(shop, AFTER_THE_WINDOW_S);
  await waitForHeading(page, 'Expired');
  await waitForTitle(page, 'Your order has expired');
  assert.equal(await page.getByRole('link', { name: 'Open in wallet' }).count(), 0);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Get a new price' }).click();
  await waitForHeading(page, 'Complete your order');
  await page.waitForFunction(() => /^0[12]:/.test(document.querySelector('[role=timer]')?.textContent ?? ''));
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await close();
});

test('[PAY-10] [PAY-11] a requote of an underpaid order asks for the rest', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId, 0.004);
  await waitForTitle(page, '0.005000 BTC still missing');
  await moveClock(shop, AFTER_THE_WINDOW_S);
  await waitForHeading(page, 'Expired');
  await waitForTitle(page, 'Expired with a partial payment');
  assert.equal(await page.getByRole('button', { name: 'Cancel order' }).count(), 0);
  await page.getByRole('button', { name: 'Get a new price' }).click();
  await waitForTitle(page, '0.005000 BTC still missing');
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await close();
});

test('[PAY-10] shows a late payment and accepts it automatically once confirmed', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await moveClock(shop, AFTER_THE_WINDOW_S);
  await waitForHeading(page, 'Expired');
  await payOrder(shop, orderId);
  await page.reload();
  await waitForTitle(page, 'Your payment arrived late');
  await mine(shop, 2);
  await page.reload();
  await waitForHeading(page, 'Order paid.');
  await close();
});

test("[PAY-04] [PAY-05] after 'I paid' the chain still decides", async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await page.getByRole('button', { name: 'I paid' }).click();
  await waitForHeading(page, 'Waiting for confirmation');
  await waitForTitle(page, 'Looking for your payment');
  await page.getByRole('link', { name: 'Open in wallet' }).waitFor();
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await close();
});

test('[PAY-12] the order page explains reorged_out and asks for nothing', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await visit(page, `/dashboard/orders/${orderId}`);
  await waitForTitle(page, 'Thank you');
  await shop.api('POST', '/dev/reorg', { body: { depth: 2 } });
  await page.reload();
  await waitForTitle(page, 'Your payment is being confirmed again');
  await page.getByText('Pending', { exact: true }).waitFor();
  await mine(shop, 2);
  await waitForTitle(page, 'Thank you');
  await page.getByText('Payment confirmed again').waitFor();
  await close();
});
