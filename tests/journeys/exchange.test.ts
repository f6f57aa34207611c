/** An exchange on the pages: the wish of the buyer, the choice of staff, and what both see afterwards. */
import '../support/built-pages.ts';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { openExchanges } from '../support/exchanges.ts';
import type { ExchangeCalls } from '../support/exchanges.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { openRefundShop } from '../support/refund-shop.ts';
import type { RefundShop } from '../support/refund-shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';
let shop: RefundShop;
let calls: ExchangeCalls;
before(async () => {
  shop = await openRefundShop();
  calls = openExchanges(shop);
  await calls.stockAll(50);
});
after(() => shop.shop.stop());

test('[RET-08] a buyer wishes another variant, and staff exchange the unit for it', async () => {
  const { buyer, id } = await calls.returns.createShippedOrder(1);
  const buying = await openPage(shop.shop);
  const { page } = buying;
  await visit(page, `/login?to=/dashboard/orders/${id}/return`);
  await logIn(page, buyer.email, PASSWORD);
  await page.waitForURL(`**/dashboard/orders/${id}/return`);
  const wish = page.getByLabel(/^Instead of /);
  const wanted = (await wish.locator('option', { hasText: '512GB' }).first().textContent()) ?? '';
  await wish.selectOption({ label: wanted });
  await page.getByLabel('Description').fill('Too little storage');
  await saveScreenshots(page, 'exchange-wish');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Request return' }).click();
  await page.getByText(`Instead: ${wanted}`).waitFor();
  const { body } = await shop.shop.api('GET', `/orders/${id}/returns`, { token: buyer.token });
  const returnId = textAt(listAt(body, 'returns')[0], 'id');
  await calls.returns.receiveAndInspect(returnId, 1, calls.restocked(1));

  const handling = await openPage(shop.shop);
  const desk = handling.page;
  await visit(desk, `/login?to=/admin/returns/${returnId}`);
  await logIn(desk, 'staff', PASSWORD);
  await desk.waitForURL(`**/admin/returns/${returnId}`);
  const section = desk.getByRole('region', { name: 'Exchange' });
  await section.getByText('The buyer pays', { exact: true }).waitFor();
  await saveScreenshots(desk, 'exchange-offer');
  await assertAccessible(desk);
  await section.getByRole('button', { name: 'Exchange and close' }).click();
  await desk.getByRole('dialog').getByText('Exchange items only if the buyer agreed').waitFor();
  await saveScreenshots(desk, 'exchange-confirm');
  await desk.getByRole('dialog').getByRole('button', { name: 'Exchange and close' }).click();
  await desk.getByText('It waits for the difference.').waitFor();
  await saveScreenshots(desk, 'exchange-made');
  await assertAccessible(desk);

  // The page of the buyer leads to the payment of the difference.
  await visit(page, `/dashboard/returns/${returnId}`);
  await page.getByText('Pay the difference of').waitFor();
  await saveScreenshots(page, 'exchange-return');
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await page.waitForURL('**/cart');
  await page
    .getByText(/Send the rest to the same address|missing/i)
    .first()
    .waitFor();
  await saveScreenshots(page, 'exchange-payment');
  const exchanged = await calls.returns.read(returnId);
  const newId = textAt(exchanged, 'exchanged', 'order_id');
  await shop.callDemoTool('pay', { order_id: newId });
  await shop.mine(6);
  await visit(page, `/dashboard/orders/${newId}`);
  await page.getByText('This order exchanges items of order').waitFor();
  await page.getByText('Credit of your return').first().waitFor();
  await saveScreenshots(page, 'exchange-order');
  await assertAccessible(page);
  await visit(page, `/dashboard/orders/${id}`);
  await page.getByText('Credited to the new order').waitFor();
  await saveScreenshots(page, 'exchange-first-order');
  await visit(desk, `/admin/orders/${newId}`);
  await desk.getByText('Credit of an exchange').waitFor();
  await saveScreenshots(desk, 'exchange-admin-order');
  await visit(desk, `/admin/orders/${id}`);
  await desk.getByRole('link', { name: 'The order of the exchange' }).waitFor();
  await buying.close();
  await handling.close();
});
