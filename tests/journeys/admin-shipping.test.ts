/** Staff ship orders: queue, bulk shipping, parcels, packing slips, notes and address. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { textAt } from '../support/read-json.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { signIn as signInOverHttp } from '../support/support-fixtures.ts';
import { createOrder } from '../support/new-order.ts';
import type { NewOrder } from '../support/new-order.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { payInBlocks } from '../support/staff-fixtures.ts';
import { BILLING } from '../support/stress-buyer.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

async function createPaidOrder(username: string, quantity = 1): Promise<NewOrder> {
  const order = await createOrder(shop, username, BILLING, quantity);
  await payInBlocks(shop, order, 0);
  return order;
}

async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').last().waitFor({ state: 'hidden' });
}

test('[OPS-13] ships chosen orders at once; the customer gets a tracking link', async () => {
  const { page, close } = await openPage(shop);
  const orders = [await createPaidOrder('queue-a'), await createPaidOrder('queue-b')];
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, '/admin/orders');
  await page.getByRole('link', { name: 'To ship' }).click();
  await page.getByRole('heading', { level: 1, name: /^Orders to ship/ }).waitFor();
  for (const { number } of orders) await page.getByRole('checkbox', { name: `Choose ${number}` }).check();
  await page.getByRole('button', { name: 'Ship', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Ship orders' }).waitFor();
  await page.getByLabel('Carrier').selectOption({ label: 'UPS' });
  for (const [index, { number }] of orders.entries()) {
    await page.getByLabel(`Tracking reference of ${number}`).fill(`1Z ${index}`);
  }
  await page.getByRole('button', { name: 'Mark 2 orders as shipped' }).click();
  await page.getByText('2 shipped, 0 refused').waitFor();
  await page.getByText('Shipped', { exact: true }).nth(1).waitFor();
  // The next shipment begins with the same carrier.
  const next = await createPaidOrder('queue-c');
  await visit(page, `/admin/orders/${next.id}`);
  const carrier = page.getByLabel('Carrier');
  assert.equal(await carrier.evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.text), 'UPS');
  await close();

  const buyer = await openPage(shop);
  await signIn(shop, buyer.page, 'queue-b', 'crypto-market');
  await visit(buyer.page, `/dashboard/orders/${orders[1]?.id ?? ''}`);
  const link = buyer.page.getByRole('link', { name: 'Track the parcel' });
  assert.equal(await link.getAttribute('href'), 'https://www.ups.com/track?tracknum=1Z1');
  await buyer.page.getByText('1Z 1', { exact: true }).waitFor();
  await buyer.close();
});

test('[OPS-13] ships a part, then the rest; each parcel has a packing slip', async () => {
  const { page, close } = await openPage(shop);
  const order = await createPaidOrder('parcels', 3);
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, `/admin/orders/${order.id}`);
  await page.getByLabel('Ship only some units').check();
  await page.getByLabel(/^Units of/).fill('2');
  await page.getByLabel('Tracking reference (optional)').fill('PART 1');
  await page.getByRole('button', { name: 'Ship these units' }).click();
  await confirm(page, 'Ship these units');
  await page.getByText(/Left to ship: 1 ×/).waitFor();
  await page.getByRole('button', { name: 'Ship the rest' }).click();
  await confirm(page, 'Ship the rest');
  await page.getByRole('button', { name: 'Mark as delivered' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Ship|Mark as shipped/ }).count(), 0);

  await page.getByRole('link', { name: 'Packing slip 1' }).click();
  await page.getByRole('heading', { name: `Order ${order.number}, parcel 1` }).waitFor();
  await page.emulateMedia({ media: 'print' });
  const printed = await page.locator('body').innerText();
  assert.ok(!/\$|BTC|Back office|Print/.test(printed), printed);
  assert.match(printed, /\n2\s/);
  await close();

  const buyer = await openPage(shop);
  await signIn(shop, buyer.page, 'parcels', 'crypto-market');
  await visit(buyer.page, `/dashboard/orders/${order.id}`);
  await buyer.page.getByText('Parcel 1 shipped').waitFor();
  await buyer.page.getByText('Parcel 2 shipped').waitFor();
  await buyer.page.getByText('PART 1', { exact: true }).waitFor();
  await buyer.close();
});

test('[OPS-13] staff write notes, change the address and send a mail again', async () => {
  const { page, close } = await openPage(shop);
  const order = await createPaidOrder('desk-work');
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, `/admin/orders/${order.id}`);
  await page.getByLabel('Note, for staff only').fill('Rings twice');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('listitem').getByText('Rings twice').first().waitFor();

  await page.getByText('Change address', { exact: true }).first().click();
  await page.getByLabel('City').fill('Leeds');
  await page.getByRole('button', { name: 'Change address' }).click();
  await confirm(page, 'Change address');
  await page.getByText('Delivery address changed by us').waitFor();
  await waitUntil(async () => (await page.getByRole('main').innerText()).includes('Leeds'));

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await confirm(page, 'Send again');
  await page.getByText('Mail sent again').waitFor();
  await close();
});

test('[OPS-13] saves a filter under a name and deletes it', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, '/admin/orders?status=expired');
  await page.getByText('Saved filters').click();
  await page.getByLabel('Name of the filter').fill('Too late');
  await page.getByRole('button', { name: 'Save this filter' }).click();
  await page.getByText('Filter saved').first().waitFor();
  await visit(page, '/admin/orders');
  await page.getByRole('link', { name: 'Too late' }).click();
  await page.waitForURL(/status=expired/);
  await page.getByRole('button', { name: 'Delete the filter Too late' }).click();
  await page.getByRole('link', { name: 'Too late' }).waitFor({ state: 'detached' });
  await close();
});

test('[OPS-29] staff scan the numbers of a parcel, correct one, and import others', async () => {
  const { page, close } = await openPage(shop);
  const order = await createPaidOrder('scanned-phones', 2);
  const earlier = await createPaidOrder('earlier-phone');
  await shop.api('POST', `/orders/${earlier.id}/ship`, { token: await signInAsStaff(), body: {} });
  await askForImeis('imei');
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, `/admin/orders/${order.id}`);
  const field = page.getByLabel(/^IMEIs of /);
  await field.focus();
  // As a scanner types it.
  await page.keyboard.type('490154203237518\n');
  await page.getByText('1 of 2 IMEIs').waitFor();
  await page.getByRole('button', { name: 'Mark as shipped' }).click();
  await page.getByText('1 IMEI missing, one for each unit.').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('356938035643808');
  await page.getByRole('button', { name: 'Mark as shipped' }).click();
  await page.getByText('356938035643808 is mistyped: its check digit is wrong.').waitFor();
  await field.fill('490154203237518, 356938035643809');
  await page.getByRole('button', { name: 'Mark as shipped' }).click();
  await confirm(page, 'Mark as shipped');
  await page.getByText('356938035643809, 490154203237518').first().waitFor();

  await page.getByText('Correct serial numbers of parcel 1').click();
  await page.getByLabel(/^IMEIs of /).fill('490154203237518\n352099001761481');
  await page.getByRole('button', { name: /^Save serial numbers/ }).click();
  await confirm(page, 'Save serial numbers');
  await page.getByText('352099001761481, 490154203237518').first().waitFor();
  await page.getByRole('link', { name: 'Packing slip 1' }).click();
  await page.getByText('352099001761481, 490154203237518').waitFor();

  await visit(page, '/admin/serial-numbers');
  const upload = async (rows: string) => {
    const buffer = Buffer.from(`order,line,number\n${rows}`);
    await page.getByLabel('CSV file').setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check the file' }).click();
  };
  await upload(`${earlier.number},1,490154203237518\n`);
  await page.getByText('490154203237518 is in another parcel and not returned.').waitFor();
  await upload(`${earlier.number},1,356938035643809\n`);
  await page.getByRole('button', { name: 'Import 1 number' }).click();
  await page.getByText('1 number imported').waitFor();
  await close();

  const buyer = await openPage(shop);
  await signIn(shop, buyer.page, 'earlier-phone', 'crypto-market');
  await visit(buyer.page, `/dashboard/orders/${earlier.id}`);
  await buyer.page.getByText('356938035643809', { exact: true }).waitFor();
  await buyer.close();
  await askForImeis('none');
});

const askForImeis = (kind: string): Promise<unknown> =>
  runWithShopDatabase(shop, (db) => sql`update products set serial_kind = ${kind}`.execute(db));
const signInAsStaff = async (): Promise<string> =>
  textAt((await signInOverHttp(shop, 'staff')).body, 'tokens', 'accessToken');
