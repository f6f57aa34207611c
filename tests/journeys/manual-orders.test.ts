/** Support creates an order for a customer on the phone, who pays it by the link. */
import { before, test } from 'node:test';
import assert from 'node:assert/strict';
import { openPage } from '../support/browser.ts';
import { mine, payOrder, signIn, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[OPS-13] support creates an order, which the customer pays by the link', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, '/admin/orders');
  await page.getByRole('link', { name: 'New order' }).click();
  await page.getByRole('heading', { level: 1, name: 'New order' }).waitFor();
  const create = page.getByRole('button', { name: 'Create order' });
  await page.getByText('Choose a customer to continue.').waitFor();
  await page.getByRole('button', { name: 'New customer' }).click();
  await page.getByLabel('Email address').fill('caller@phone.example');
  await page.getByLabel('Name', { exact: true }).fill('Grace Caller');
  await page.getByLabel('Add an item').fill('iphone');
  await page
    .getByRole('list')
    .getByRole('button', { name: /iPhone/ })
    .first()
    .click();
  await page.getByLabel(/^Quantity of iPhone/).fill('2');
  const values = { 'First name': 'Grace', 'Last name': 'Hopper', 'Street address': 'Elm Street', 'House number': '45' };
  for (const [label, value] of Object.entries({ ...values, City: 'London', Postcode: 'W8 4AA' })) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByLabel('Region').selectOption('Europe');
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' });
  await page.getByLabel('Time to pay').selectOption({ label: '24 hours' });
  await page.getByText('are reserved for 24 hours').waitFor();
  // Where the page is scrolled, the totals do not cover the promo code.
  const readGap = async (): Promise<number> => {
    const [totals, promo] = await Promise.all([
      page.getByRole('complementary', { name: 'Totals' }).boundingBox(),
      page.getByLabel('Promo code (optional)').boundingBox(),
    ]);
    return (promo?.y ?? 0) - ((totals?.y ?? 0) + (totals?.height ?? 0));
  };
  // Until the totals have their final height.
  await waitUntil(async () => (await readGap()) > 0);
  const gap = await readGap();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(null))));
  assert.equal(Math.round(await readGap()), Math.round(gap));
  await create.click();
  await page.getByText('Created by staff: staff').waitFor();
  await page.getByRole('button', { name: 'Copy payment link' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Created by staff' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  const findPayPath = async (): Promise<string | undefined> => {
    const { body } = await shop.api('GET', '/dev/mail?to=caller@phone.example');
    return /\/pay\/[0-9a-f]{64}/.exec(JSON.stringify(body))?.[0];
  };
  await waitUntil(async () => (await findPayPath()) !== undefined);
  const path = (await findPayPath()) ?? assert.fail('the mail has no link');
  const buyer = await openPage(shop);
  await visit(buyer.page, path);
  await buyer.page.getByRole('heading', { level: 1, name: 'Complete your order' }).waitFor();
  await payOrder(shop, id);
  await mine(shop, 3);
  await buyer.page.getByRole('heading', { level: 1, name: 'Order paid.' }).waitFor();
  await buyer.close();

  await visit(page, '/admin/orders?queue=to-ship&q=caller');
  await page.locator(`a[href="/admin/orders/${id}"]`).waitFor();
  await close();
});
