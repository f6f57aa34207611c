/** Links of the demo to its wallet and mailbox. */
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, placeOrder } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

test('every page of the demo links to its wallet and mailbox', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const bar = page.getByRole('complementary', { name: 'About this demo' });
  await bar.getByRole('link', { name: 'demo wallet' }).click();
  await page.getByRole('heading', { name: 'Devchain wallet' }).waitFor();
  await bar.getByRole('link', { name: 'mailbox' }).click();
  await page.waitForURL('**/dev/mail');
  await close();
});

test('the payment step of the demo links to the demo wallet', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  await page.getByRole('main').getByRole('link', { name: 'pay with the demo wallet' }).click();
  await page.getByRole('heading', { name: 'Devchain wallet' }).waitFor();
  await close();
});
