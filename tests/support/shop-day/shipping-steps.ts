/** The parcel: packing slip, carrier, tracking link and invoice. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { visit } from '../buyer.ts';
import { listAt, numberAt, textAt } from '../read-json.ts';
import { readPdfText } from '../read-pdf-text.ts';
import type { BoughtOrder } from './purchase-steps.ts';
import { readOrder } from './purchase-steps.ts';
import { confirm, CUSTOMER, saveScreenshot, waitForMail } from './shop-day.ts';
import type { ShopDay } from './shop-day.ts';

const TRACKING_NUMBER = '00340434161094042557';

export const formatDollars = (usd: number): string =>
  `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** Prints the packing slip of an order in the queue, which has no prices. */
export async function printPackingSlip({ support: { page } }: ShopDay, { number }: BoughtOrder): Promise<void> {
  await page.getByRole('link', { name: 'To ship', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: /^Orders to ship/ }).waitFor();
  await page.getByRole('link', { name: number }).click();
  await page.getByRole('heading', { level: 1, name: `Order ${number}` }).waitFor();
  await page.getByRole('link', { name: 'Packing slip', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: `Order ${number}` }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await saveScreenshot(page, 'packing-slip');
  const printed = await page.locator('body').innerText();
  for (const part of ['Crypto Market', 'Ada Lovelace', 'Germany', 'iPhone Air', 'AirTag']) {
    assert.ok(printed.includes(part), `${part} is missing: ${printed}`);
  }
  assert.doesNotMatch(printed, /\$|BTC|Back office/);
  const rows = page.getByRole('table').getByRole('row');
  assert.deepEqual(await rows.getByRole('cell').nth(0).allInnerTexts(), ['1']);
  assert.match((await rows.nth(2).innerText()).replaceAll(/\s+/g, ' '), /^2 AirTag/);
  await page.emulateMedia({ media: 'screen' });
  await page.goBack();
}

/** Ships with DHL; the open page of the customer shows the link. */
export async function ship(day: ShopDay, { id, number }: BoughtOrder): Promise<void> {
  const { page: customer } = day.customer;
  const { page } = day.support;
  await visit(customer, `/dashboard/orders/${id}`);
  await page.getByRole('heading', { level: 1, name: `Order ${number}` }).waitFor();
  await page.getByLabel('Carrier').selectOption({ label: 'DHL' });
  await page.getByLabel('Tracking reference (optional)').fill(TRACKING_NUMBER);
  await page.getByRole('button', { name: 'Mark as shipped' }).click();
  await confirm(page, 'Mark as shipped');
  const link = customer.getByRole('link', { name: 'Track the parcel' });
  await link.waitFor();
  const url = `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${TRACKING_NUMBER}`;
  assert.equal(await link.getAttribute('href'), url);
  assert.ok((await waitForMail(day, CUSTOMER.email, `Order ${number} is on its way`)).includes(url));
  await saveScreenshot(customer, 'customer-order');
}

/** The customer downloads the invoice. Returns its number. */
export async function downloadInvoice(day: ShopDay, { id, number }: BoughtOrder): Promise<string> {
  const { page } = day.customer;
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download invoice/ }).click();
  const download = await downloading;
  const invoice = /^invoice-(CM-INV-\d{4}-\d{6})\.pdf$/.exec(download.suggestedFilename())?.[1] ?? assert.fail();
  const lines = readPdfText(await readFile(await download.path()));
  const order = await readOrder(day, id);
  const [total, tax] = [numberAt(order, 'total_usd_after'), numberAt(order, 'tax', 'total_usd')];
  for (const line of [
    'Invoice',
    'Crypto Market',
    'Ada Lovelace',
    'Germany',
    `Number: ${invoice}`,
    `Order: ${number}`,
    'Total in US dollars',
    formatDollars(total),
    formatDollars(tax),
  ])
    assert.ok(lines.includes(line), `${line} is missing: ${lines.join('\n')}`);
  assert.ok(lines.some((line) => line.includes('19%')));
  assert.equal(listAt(order, 'tax', 'rates').length, 1);
  assert.equal(textAt(order, 'tax', 'rates', 0, 'tax_class'), 'standard');
  return invoice;
}
