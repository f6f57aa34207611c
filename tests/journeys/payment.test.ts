import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, waitForEffects, pollNow, placeOrder, placeOrderOnPage } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

test("[PAY-02] [PAY-03] [PAY-04] the payment screen counts down, copies and takes 'I paid'", async () => {
  const { page, context, close } = await openPage(shop);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  await page.waitForFunction(() =>
    /^01:5\d:\d\d|02:00:00$/.test(document.querySelector('[role=timer]')?.textContent ?? ''),
  );
  await Promise.all([
    page.getByText('Copied to clipboard!').waitFor(),
    page.getByRole('button', { name: 'Copy amount' }).click(),
  ]);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '0.009000');
  await page.getByRole('button', { name: 'Copy wallet address' }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('bcrt1q'));
  await page.reload();
  await page.locator('html[data-ready]').waitFor();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();

  await page.getByRole('button', { name: 'I paid' }).click();
  await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
  await page.getByText('Awaiting confirmation').waitFor();
  assert.equal(await page.getByRole('button', { name: 'I paid' }).count(), 0);
  await page.getByText('You marked this order as paid. This page shows your payment once we see it.').last().waitFor();
  await page.getByRole('timer').waitFor();
  await close();
});

test('[PAY-01] [PAY-04] [PAY-13] texts after a part was marked as paid, and of a surplus', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId, amount_btc: 0.004 } });
  await pollNow(page);
  await page.getByText('0.005000 BTC still missing').waitFor();
  await page.getByRole('button', { name: 'I paid' }).click();
  await page
    .getByText('You marked this order as paid. So far, only a part of the amount has arrived.')
    .last()
    .waitFor();
  assert.equal(await page.getByText(/Awaiting confirmation|Waiting for confirmation/).count(), 0);
  await page.getByRole('timer').waitFor();
  // The rest and too much: the text asks for an address until one is saved.
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId, amount_btc: 0.006 } });
  await pollNow(page);
  const asked = 'You sent 0.001000 BTC more than the amount due. Enter a refund address below to get it back.';
  await page.getByText(asked).waitFor();
  assert.equal(await page.getByText(/don’t need to do anything/).count(), 0);
  await page.getByLabel('Your Bitcoin address').fill('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080');
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText(/more than the amount due\. Confirm your refund address with the link in our mail/).waitFor();
  await shop.api('POST', '/dev/mine', { body: { blocks: 2 } });
  await pollNow(page);
  await page.getByText(/Your payment is confirmed.*Confirm your refund address with the link in our mail/).waitFor();
  await close();
});

test('[PAY-09] a partial payment asks for the rest', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId, amount_btc: 0.004 } });
  await pollNow(page);
  await page.getByText('0.005000 BTC still missing').waitFor();
  await assertAccessible(page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 2 } });
  await pollNow(page);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await close();
});

test('[PAY-01] [PAY-10] shows an unpaid order as expired', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  await shop.api('POST', '/dev/clock', { body: { offset_s: 7201 } });
  try {
    await pollNow(page);
    await page.getByRole('heading', { name: 'Expired' }).waitFor();
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
  await close();
});

test('[PAY-05] polls every 30 s while pending, every 15 s while user_paid', async () => {
  const { page, close } = await openPage(shop);
  await page.clock.install();
  await openCartAsBuyer(shop, page);
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/payments/check/')) checks += 1;
  });
  /** Number of checks so far; the present request is counted when its response arrives. */
  const countChecks = async (): Promise<number> => {
    await page.evaluate(() => fetch('/healthz').then((response) => response.text()));
    return checks;
  };
  // Before the order is shown, so that only the test advances the clock.
  await page.clock.pauseAt(Date.now() + 20_000);
  await placeOrderOnPage(page);
  await waitForEffects(page);
  await page.clock.runFor(29_000);
  assert.equal(await countChecks(), 0);
  await page.clock.runFor(2_000);
  assert.equal(await countChecks(), 1);
  await page.getByRole('button', { name: 'I paid' }).click();
  await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
  await waitForEffects(page);
  await page.clock.runFor(14_000);
  assert.equal(await countChecks(), 1);
  await page.clock.runFor(2_000);
  assert.equal(await countChecks(), 2);
  await page.route('**/api/payments/check/*', (route) => route.abort('failed'));
  await page.clock.runFor(16_000);
  await page.getByText('Failed to check payment status').waitFor();
  await close().catch(() => {});
});
