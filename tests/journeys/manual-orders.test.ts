/** Support creates an order for a customer on the phone, who pays it by the link. */
import { before, test } from 'node:test';
import assert from 'node:assert/strict';
import { openPage } from '../support/browser.ts';
import { createName, mine, payOrder, signIn, visit } from '../support/buyer.ts';
import { createOrder } from '../support/new-order.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';
import { BILLING } from '../support/stress-buyer.ts';
import { textAt, valueAt } from '../support/read-json.ts';
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
  // The browser asks before what was entered is lost, and not after it was sent.
  const mayLeave = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.equal(await mayLeave(), false);
  await create.click();
  await page.getByText('Created by staff: staff').waitFor();
  assert.equal(await mayLeave(), true);
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

test('[OPS-13] a new order begins with the last address, and keeps what is typed', async () => {
  const name = createName();
  const former = await createOrder(shop, name, { ...BILLING, phone: '+44 20 7946 0000', note: 'Ring twice' });
  await shop.api('POST', `/orders/${former.id}/cancel`, { token: former.token });
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, '/admin/orders/new');
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const read = (...labels: string[]): Promise<string[]> =>
    Promise.all(labels.map((label) => field(label).inputValue()));
  const choose = async (): Promise<void> => {
    await page.getByLabel('Find a customer').fill(name);
    await page.getByRole('list').getByRole('button', { name }).click();
    await page.getByText('Filled in from the last order. Check the details with the customer.').waitFor();
  };
  await field('Last name').fill('Byron');
  await choose();
  const address = ['Region', 'Country', 'Street address', 'House number', 'City', 'Postcode'];
  assert.deepEqual(await read(...address), ['Europe', 'GB', 'Elm Street', '45', 'London', 'W8 4AA']);
  const others = ['First name', 'Last name', 'Phone (optional)', 'Note for the courier (optional)'];
  assert.deepEqual(await read(...others), ['Ada', 'Byron', '+44 20 7946 0000', '']);
  // The details of one customer, typed ones included, never stay for another one.
  await page.getByRole('button', { name: 'Change customer' }).and(page.locator(':focus')).click();
  await page.getByLabel('Find a customer').and(page.locator(':focus')).waitFor();
  assert.deepEqual(await read('Street address', 'First name', 'Last name'), ['', '', '']);
  await choose();
  await field('Last name').fill('Byron');
  await field('House number').fill('46');
  await field('Add an item').fill('iphone');
  await page
    .getByRole('list')
    .getByRole('button', { name: /iPhone/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByText('Created by staff: staff').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { body: whole } = await shop.api('GET', `/support/orders/${id}`, { token: await getStaffToken(shop) });
  const billing = { ...BILLING, lastName: 'Byron', houseNumber: '46', phone: '+44 20 7946 0000' };
  assert.deepEqual(valueAt(whole, 'order', 'billing'), billing);

  await visit(page, `/admin/orders/new?customer=${textAt(whole, 'buyer', 'id')}`);
  assert.deepEqual(await read('Street address', 'House number', 'Last name'), ['Elm Street', '46', 'Byron']);
  // A typed part of an address is not completed with parts of another one.
  await page.getByRole('button', { name: 'Change customer' }).click();
  await field('City').fill('Bath');
  await page.getByLabel('Find a customer').fill(name);
  await page.getByRole('list').getByRole('button', { name }).click();
  await waitUntil(async () => (await field('First name').inputValue()) === 'Ada');
  assert.deepEqual(await read('Street address', 'City', 'Postcode'), ['', 'Bath', '']);
  await close();
});
