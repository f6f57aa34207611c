import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, placeOrder } from '../support/buyer.ts';
import { listAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

test('[MAIL-03] the mailbox shows the mails to an address as text and HTML', async () => {
  const { page, context, close } = await openPage(shop);
  await page.goto('/dev/mail?to=nobody@example.com');
  await page.getByText('No mail to nobody@example.com').waitFor();
  const email = `${await openCartAsBuyer(shop, page)}@example.com`;
  await placeOrder(shop, page);
  await waitUntil(async () => listAt((await shop.api('GET', `/dev/mail?to=${email}`)).body).length === 2);

  await page.goto('/dev/mail');
  await page.getByLabel('To').fill(email);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get('to') === email);
  const mail = page.getByRole('listitem').filter({ hasText: /^Order CM-\d+: [\d.]+ BTC to pay/ });
  await mail.getByText('Please send exactly this amount to this address').waitFor();
  await assertAccessible(page);
  const link = mail.getByRole('link', { name: /\/pay\// });
  assert.match((await link.getAttribute('href')) ?? '', /^http:\/\/localhost:\d+\/pay\/[\w-]{43,}$/);

  const [html] = await Promise.all([
    context.waitForEvent('page'),
    mail.getByRole('link', { name: 'View as HTML' }).click(),
  ]);
  await html.getByRole('heading', { name: /^Thank you for your order CM-/ }).waitFor();
  await html.getByRole('link', { name: 'Open the payment page' }).waitFor();
  await html.close();
  // Closed and opened by keyboard.
  await mail.locator('summary').focus();
  await page.keyboard.press('Enter');
  await mail.getByText('Please send exactly').waitFor({ state: 'hidden' });
  await close();
});
