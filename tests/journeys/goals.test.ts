/** What buyers and staff come for, each once in a browser. Other journeys test these pages in detail. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { createBuyer, logIn, signIn, visit } from '../support/buyer.ts';
import { startDayShop } from '../support/day-shop.ts';
import type { DayShop } from '../support/day-shop.ts';
import { makePicture } from '../support/hostile-pictures.ts';
import { numberAt } from '../support/read-json.ts';
import { buyWithPromotion, payRest, underpay } from '../support/shop-day/purchase-steps.ts';
import { refundOneTag } from '../support/shop-day/refund-steps.ts';
import { askForPaidOrderMails, setTaxAndShipping } from '../support/shop-day/set-up-steps.ts';
import { downloadInvoice, printPackingSlip, ship } from '../support/shop-day/shipping-steps.ts';
import { closeShopDay, openShopDay } from '../support/shop-day/shop-day.ts';
import { answerTicket, seeOrder, watchOrders } from '../support/shop-day/support-steps.ts';

let shop: DayShop;
before(async () => {
  shop = await startDayShop();
});
after(() => shop.stop());

test('[OPS-02] [OPS-08] staff create a product with a picture and change its price', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  await signIn(shop.first, page, 'staff', 'crypto-market');
  await visit(page, '/admin/products');
  await page.getByRole('link', { name: 'Add product' }).click();
  const main = page.getByRole('main');
  await main.getByLabel('Name', { exact: true }).fill('Travel cable');
  await main.getByLabel('Base price in USD').fill('19.90');
  await main.getByLabel('Article number').fill('TC-1');
  await main.getByLabel('Category', { exact: true }).selectOption({ label: 'Accessories' });
  const buffer = await makePicture('png', { seed: 1 });
  await main.locator('input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await main.getByLabel('Alternative text of picture 1').fill('A cable');
  await main.getByRole('button', { name: 'Publish', exact: true }).click();
  await main.getByText('Active', { exact: true }).waitFor();
  await main.getByLabel('Base price in USD').fill('24.90');
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await main.getByText('All changes are saved').waitFor();
  const { body } = await shop.first.api('GET', '/products/travel-cable');
  assert.equal(numberAt(body, 'base_price_in_usd'), 24.9);
  await visit(page, '/catalog/product/travel-cable');
  await main.getByText('$24.90').first().waitFor();
  await close();
});

test('[OPS-17] an owner gives a customer a role, who then sees the back office', async () => {
  const username = await createBuyer(shop.first);
  const owner = await openPage(shop, { width: 1440 });
  await signIn(shop.first, owner.page, 'owner', 'crypto-market');
  await visit(owner.page, '/admin/settings/team');
  const main = owner.page.getByRole('main');
  await main.getByLabel('Username').fill(username);
  await main.getByLabel('Role', { exact: true }).selectOption({ label: 'Support' });
  await main.getByRole('button', { name: 'Give role' }).click();
  await owner.page.getByRole('dialog').getByRole('button').last().click();
  await main.getByText(username).first().waitFor();
  const helper = await openPage(shop);
  await visit(helper.page, '/login?to=/admin');
  await logIn(helper.page, username);
  await helper.page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Support' }).waitFor();
  await owner.close();
  await helper.close();
});

test('[OPS-03] [OPS-04] [OPS-13] [OPS-15] [OPS-16] from the order to shipment, invoice, ticket and refund', async () => {
  const day = await openShopDay(shop);
  await setTaxAndShipping(day);
  await askForPaidOrderMails(day);
  await watchOrders(day);
  const order = await buyWithPromotion(day);
  await underpay(day, order);
  await seeOrder(day, order, 'Underpaid');
  await payRest(day, order);
  await seeOrder(day, order, 'Paid');
  await printPackingSlip(day, order);
  await ship(day, order);
  await downloadInvoice(day, order);
  await answerTicket(day, order);
  await refundOneTag(day, order);
  await closeShopDay(day);
});
