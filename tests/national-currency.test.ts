/** The tax of invoices in the national currency of the seller, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { GERMAN_TAX, logInAs, putSettings } from './support/charge-settings.ts';
import { createOrder } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { readErrorCode } from './support/support-fixtures.ts';
import { waitUntil } from './support/wait-until.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number): string => new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10);
const content = z.object({
  taxCents: z.string(),
  lines: z.array(z.object({ serials: z.array(z.string()).optional() })),
  national: z
    .object({ currency: z.string(), rate: z.string(), rateDay: z.string(), source: z.string(), taxCents: z.string() })
    .optional(),
});

let shop: TestShop;
let owner: string;
let staff: string;
let buyers = 0;
before(async () => {
  shop = await startTestShop();
  [owner, staff] = [await logInAs(shop, 'owner'), await logInAs(shop, 'staff')];
  const rates = [{ country: 'GB', tax_class: 'standard', basis_points: 2000 }];
  assert.equal(
    (await putSettings(shop, 'tax', { ...GERMAN_TAX, home_country: 'GB', has_reverse_charge: false, rates }, owner))
      .status,
    200,
  );
});
after(() => shop.stop());

const read = async () => (await shop.api('GET', '/tax/national-currency', { token: staff })).body;
async function setCurrency(currency: string, validDays = 4): Promise<void> {
  const body = { currency, valid_days: validDays, rates_from: 'table', version: numberAt(await read(), 'version') };
  assert.equal((await shop.api('PUT', '/tax/national-currency', { token: owner, body })).status, 200);
}
const setRates = (rates: Readonly<Record<string, string>>, source = 'European Central Bank') =>
  shop.api('PUT', '/tax/national-rates', {
    token: staff,
    body: { source, rates: Object.entries(rates).map(([day, rate]) => ({ day, rate })) },
  });
async function createPaidOrder(): Promise<NewOrder> {
  const order = await createOrder(shop, `national-${(buyers += 1)}`);
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  return order;
}
/** What the documents of an order contain. */
const readContents = ({ id }: NewOrder) =>
  runWithShopDatabase(shop, async (db) => {
    const { rows } = await sql<{ content: unknown }>`
      select content from invoices where order_id = ${id} order by issued_at, id
    `.execute(db);
    return rows.map((row) => content.parse(row.content));
  });
async function waitForInvoice(order: NewOrder) {
  await waitUntil(async () => (await readContents(order)).length > 0);
  return (await readContents(order))[0] ?? assert.fail();
}
const readWaiting = async () =>
  numberAt((await shop.api('GET', '/support/todo', { token: staff })).body, 'waiting_invoices');

test('[OPS-16] an invoice waits for the rate of its day, and is issued once it is entered', async () => {
  assert.equal((await waitForInvoice(await createPaidOrder())).national, undefined);
  assert.equal(readErrorCode(await setRates({ [TODAY]: '0.75' })), '409 no-currency');
  await setCurrency('GBP');
  // Too old to count today, and of a day to come.
  assert.equal((await setRates({ [daysAgo(5)]: '0.70', [daysAgo(-1)]: '0.71' })).status, 200);
  const order = await createPaidOrder();
  await waitUntil(async () => (await readWaiting()) === 1);
  const waiting = valueAt(await read(), 'waiting');
  assert.deepEqual(valueAt(waiting, 'days'), [TODAY]);
  assert.equal(textAt(waiting, 'orders', 0, 'number'), order.number);
  assert.deepEqual(await readContents(order), []);
  const listed = await shop.api('GET', '/support/invoices', { token: staff });
  assert.equal(numberAt(listed.body, 'failed'), 0);

  await setRates({ [daysAgo(2)]: '0.7512' }, 'HMRC');
  const invoice = await waitForInvoice(order);
  const tax = BigInt(invoice.taxCents);
  assert.ok(tax > 0n);
  assert.deepEqual(invoice.national, {
    currency: 'GBP',
    rate: '0.7512',
    rateDay: daysAgo(2),
    source: 'HMRC',
    // In halves, so that the rounding is exact.
    taxCents: String((tax * 7_512n * 2n + 10_000n) / 20_000n),
  });
  assert.equal(await readWaiting(), 0);
  const [document] = listAt(
    (await shop.api('GET', `/orders/${order.id}/invoices`, { token: order.token })).body,
    'invoices',
  );
  const pdf = await fetch(`${shop.url}/api/invoices/${textAt(document, 'id')}/pdf`, {
    headers: { authorization: `Bearer ${order.token}` },
  });
  assert.equal(pdf.status, 200);
  await pdf.arrayBuffer();
});

test('[OPS-16] a changed rate changes no issued invoice, and the newest one counts', async () => {
  const earlier = await createPaidOrder();
  const issued = await waitForInvoice(earlier);
  await setRates({ [TODAY]: '0.8' });
  const later = await waitForInvoice(await createPaidOrder());
  assert.deepEqual([later.national?.rate, later.national?.rateDay], ['0.8000', TODAY]);
  assert.deepEqual(await readContents(earlier), [issued]);
  assert.equal((await shop.api('DELETE', `/tax/national-rates/${TODAY}`, { token: staff })).status, 200);
  assert.equal(
    readErrorCode(await shop.api('DELETE', `/tax/national-rates/${TODAY}`, { token: staff })),
    '404 not-found',
  );
  assert.equal((await waitForInvoice(await createPaidOrder())).national?.rate, '0.7512');
});

test('[OPS-16] without the setting a waiting invoice is issued in dollars only', async () => {
  await setCurrency('CHF');
  const order = await createPaidOrder();
  await waitUntil(async () => (await readWaiting()) === 1);
  await setCurrency('');
  assert.equal((await waitForInvoice(order)).national, undefined);
});

test('[OPS-29] an invoice that waited names the numbers of the units that were shipped meanwhile', async () => {
  await setCurrency('CHF');
  await runWithShopDatabase(shop, (db) => sql`update products set serial_kind = 'serial'`.execute(db));
  const order = await createPaidOrder();
  await waitUntil(async () => (await readWaiting()) === 1);
  const body = { serials: [{ position: 0, numbers: ['c02waited'] }] };
  assert.equal((await shop.api('POST', `/orders/${order.id}/ship`, { token: staff, body })).status, 200);
  await setRates({ [TODAY]: '0.91' });
  assert.deepEqual((await waitForInvoice(order)).lines[0]?.serials, ['C02WAITED']);
});

test('[OPS-16] refuses settings and rates that are none, beside their field', async () => {
  const { body } = await setRates({ '2026-02-30': '1' });
  assert.match(textAt(body, 'error', 'fields', 'rates.0.day'), /must be a day/);
  assert.match(textAt((await setRates({ [TODAY]: '0' })).body, 'error', 'fields', 'rates.0.rate'), /must be a rate/);
  assert.equal(readErrorCode(await setRates({})), '400 invalid');
  const wrong = { currency: 'XYZ', valid_days: 4, rates_from: 'table', version: 0 };
  assert.equal(
    readErrorCode(await shop.api('PUT', '/tax/national-currency', { token: owner, body: wrong })),
    '400 invalid',
  );
  const forStaff = { currency: 'EUR', valid_days: 4, rates_from: 'table', version: numberAt(await read(), 'version') };
  assert.equal(
    readErrorCode(await shop.api('PUT', '/tax/national-currency', { token: staff, body: forStaff })),
    '403 forbidden',
  );
});
