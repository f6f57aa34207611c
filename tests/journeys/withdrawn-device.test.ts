/**
 * Two phones with a gift, shipped in two parcels: one of them is withdrawn from, comes back, and is refunded less a
 * deduction. From the cart to the books.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { callAs, createBuyer, fillBilling, getOpenOrderId, signIn, visit, waitForCartLines } from '../support/buyer.ts';
import { logInAs, PAID_SHIPPING, putSettings } from '../support/charge-settings.ts';
import { testKey } from '../support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from '../support/read-json.ts';
import { readPdfText } from '../support/read-pdf-text.ts';
import { openRefundShop } from '../support/refund-shop.ts';
import type { RefundShop } from '../support/refund-shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { parseMail, SmtpServer } from '../support/smtp-server.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Gross prices with 20 % VAT: two phones of $999.00 and $20.00 of delivery. */
const BRITISH_TAX = {
  price_mode: 'gross',
  tax_name: 'VAT',
  home_country: 'GB',
  has_reverse_charge: false,
  shipping_class: 'standard',
  rates: [{ country: 'GB', tax_class: 'standard', basis_points: 2000 }],
};
const TOTAL_USD = 2018;
/** A phone less $99.90 for a scratch. 16.65 of its 166.50 of tax belong to the deduction. */
const [REFUND_USD, REFUND_NET_USD, REFUND_TAX_USD] = [899.1, 749.25, 149.85];
const [FIRST, SECOND] = ['SN-PHONE-1', 'SN-PHONE-2'];

const record = z.record(z.string(), z.unknown());
const smtp = new SmtpServer();
let shop: RefundShop;
before(async () => {
  await smtp.listen();
  shop = await openRefundShop({ SMTP_URL: smtp.url, MAIL_FROM: 'shop@crypto-market.example' });
  const owner = await logInAs(shop.shop, 'owner');
  assert.equal((await putSettings(shop.shop, 'tax', BRITISH_TAX, owner)).status, 200);
  assert.equal((await putSettings(shop.shop, 'shipping', PAID_SHIPPING, owner)).status, 200);
  await askForSerials(owner);
});
after(async () => {
  await shop.shop.stop();
  await smtp.close();
});

async function askForSerials(token: string): Promise<void> {
  const id = textAt((await shop.shop.api('GET', '/products/iphone-air')).body, 'id');
  const { body } = await shop.shop.api('GET', `/catalogue/products/${id}`, { token });
  const content = { ...record.parse(valueAt(body, 'product', 'content')), serial_kind: 'serial' };
  const changed = { version: numberAt(body, 'product', 'version'), publish: true, content };
  assert.equal((await shop.shop.api('PUT', `/catalogue/products/${id}`, { token, body: changed })).status, 200);
}

/** The newest mail to an address whose subject or text matches. */
async function waitForMail(address: string, pattern: RegExp) {
  const find = () =>
    smtp.received
      .filter(({ to }) => to.includes(address))
      .map(({ raw }) => parseMail(raw))
      .findLast(({ headers, parts }) =>
        pattern.test(`${headers.get('subject')?.[0] ?? ''}\n${parts.get('text/plain') ?? ''}`),
      );
  await waitUntil(async () => find() !== undefined);
  const mail = find() ?? assert.fail();
  return { text: mail.parts.get('text/plain') ?? '', attachments: [...mail.attachments.keys()] };
}

const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();
const toSats = (btc: number): number => Math.round(btc * 1e8);
const toCents = (usd: number | string | undefined): number => Math.round(Number(usd) * 100);

/** Orders two phones with the gift of a promotion on the pages, and pays. */
async function buy(page: Page): Promise<string> {
  await visit(page, '/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).first().click();
  await waitForCartLines(page, 1);
  await visit(page, '/cart');
  await page.getByRole('button', { name: 'Increase quantity' }).last().click();
  await page.getByLabel('Promo code', { exact: true }).fill('GIFT');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('Promo code applied successfully').waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await page.getByRole('complementary').getByText('$2,018.00').first().waitFor();
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  const id = await getOpenOrderId(shop.shop, page);
  await shop.callDemoTool('pay', { order_id: id });
  await shop.mine(6);
  await waitUntil(async () => textAt(await readOrder(page, id), 'payment_status') === 'paid');
  return id;
}

const readOrder = async (page: Page, id: string): Promise<unknown> =>
  valueAt(await callAs(shop.shop, page, 'GET', `/orders/${id}`), 'order');

/** Each phone has its number; the gift is in the second parcel. */
async function shipInTwoParcels(page: Page, id: string): Promise<void> {
  const lines = listAt(await readOrder(page, id), 'order_items');
  const gift = lines.findIndex((line) => valueAt(line, 'isFree') === true);
  assert.ok(lines.length === 2 && gift !== -1, JSON.stringify(lines));
  const phone = 1 - gift;
  const parcel = (number: number, serial: string, more: readonly object[] = []) =>
    shop.post(`/orders/${id}/ship`, {
      number,
      lines: [{ position: phone, quantity: 1 }, ...more],
      serials: [{ position: phone, numbers: [serial] }],
    });
  for (const shipped of [await parcel(1, FIRST), await parcel(2, SECOND, [{ position: gift, quantity: 1 }])])
    assert.equal(shipped.status, 200, JSON.stringify(shipped.body));
  assert.equal((await shop.post(`/orders/${id}/deliver`)).status, 200);
}

/** The link of the delivery mail leads to the choice of units, without a login and without scripts. */
async function withdrawFromOnePhone(email: string): Promise<string> {
  const link = /\/withdrawal\/[\w-]{22}\.[\w-]{43}/;
  const path = link.exec((await waitForMail(email, link)).text)?.[0] ?? assert.fail();
  const { page, close } = await openPage(shop.shop, { javaScript: false });
  await page.goto(path);
  await page.getByLabel(/^Units of iPhone Air/).fill('1');
  await page.getByLabel(/^Units of AirTag/).fill('0');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText(/these goods of the order .*: 1 × iPhone Air/).waitFor();
  await page.getByRole('button', { name: 'Confirm withdrawal', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'We received your withdrawal' }).waitFor();
  const reference = /R-\w{4}-\w{4}/.exec(await page.getByRole('main').innerText())?.[0] ?? assert.fail();
  const pdf = await page.getByRole('link', { name: 'Download the acknowledgement as PDF' }).getAttribute('href');
  const printed = readPdfText(Buffer.from(await (await fetch(`${shop.shop.url}${pdf ?? ''}`)).arrayBuffer())).join(' ');
  assert.ok(printed.replaceAll(/\s+/g, ' ').includes(reference), printed);
  await saveScreenshots(page, 'withdrawn-device-receipt');
  await close();
  const mail = await waitForMail(email, new RegExp(`we received your withdrawal[^]*${reference}`));
  assert.match(mail.text, /comes back as a return: 1 × iPhone Air/);
  return reference;
}

/** The buyer sees the slip and enters the proof of sending; then the refund address, which a mail confirms. */
async function sendBack(page: Page, email: string, id: string, reference: string): Promise<string> {
  const [own] = listAt(await callAs(shop.shop, page, 'GET', `/orders/${id}/returns`), 'returns');
  const returnId = textAt(own, 'id');
  assert.equal(textAt(own, 'reference'), reference);
  await visit(page, `/dashboard/returns/${returnId}`);
  const slip = page.getByRole('region', { name: 'Slip' });
  await slip.getByText('1 × iPhone Air').waitFor();
  await saveScreenshots(page, 'withdrawn-device-slip');
  await page.getByLabel('Tracking number').fill('RR 123 456');
  await page.getByRole('button', { name: 'I sent the items' }).click();
  await page.getByText('In transit').first().waitFor();

  const { address } = testKey();
  await visit(page, `/dashboard/orders/${id}`);
  await page.locator('summary', { hasText: 'Refund address' }).click();
  await page.getByLabel('Your Bitcoin address').fill(address);
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Open the link in our mail to confirm it').waitFor();
  const link = /\/confirm-refund-address\/[\w-]{43}/;
  await visit(page, link.exec((await waitForMail(email, link)).text)?.[0] ?? assert.fail());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
  return returnId;
}

/** Another number is refused beside the field; the right one is counted, inspected and refunded. */
async function receiveAndRefund(page: Page, returnId: string): Promise<void> {
  await visit(page, `/admin/returns/${returnId}`);
  const numbers = page.getByLabel(/^Serial numbers of iPhone Air.* that arrived$/);
  await numbers.fill('SN-PHONE-9');
  await page.getByRole('button', { name: 'Count these units' }).click();
  await page
    .getByText(/SN-PHONE-9 was not shipped with iPhone Air.* of this order\./)
    .first()
    .waitFor();
  await saveScreenshots(page, 'withdrawn-device-wrong-number');
  await numbers.fill(SECOND.toLowerCase());
  await page.getByRole('button', { name: 'Count these units' }).click();
  await page.getByText('Unit counted').waitFor();
  await page.getByLabel('Restock').fill('1');
  await page.getByLabel('Deduction ($)').fill('99.90');
  await page.getByLabel('Reason of the deduction, which the buyer reads').fill('Scratched display');
  await page.getByRole('button', { name: 'Save inspection' }).click();
  await page.getByText('Inspection saved').waitFor();
  await page.getByRole('button', { name: 'Refund $899.10 and close' }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'withdrawn-device-inspected');
  await page.getByRole('button', { name: 'Refund $899.10 and close' }).click();
  await confirm(page, 'Refund and close');
  await page.getByText('Sign and send it on the').waitFor();
}

/** The wallet signs the PSBT of the order's page; the file is broadcast. Returns the satoshis that arrive. */
async function signAndSend(page: Page, id: string): Promise<number> {
  await visit(page, `/admin/orders/${id}`);
  const shown = await page.getByRole('region', { name: 'Unsigned transaction (PSBT)' }).innerText();
  const refund = listAt(await shop.readRefunds(id), 'refunds').at(-1);
  assert.equal(shown.replaceAll(/\s/g, ''), textAt(refund, 'psbt'));
  const file = {
    name: 'signed.psbt',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(shop.sign(refund).psbt, 'base64'),
  };
  await page.getByLabel('File of the signed transaction').setInputFiles(file);
  await waitUntil(async () => (await page.getByLabel('Signed PSBT').inputValue()).startsWith('cHNidP'));
  await page.getByRole('button', { name: 'Broadcast' }).click();
  await confirm(page, 'Broadcast');
  await page.getByText('The refund was sent').waitFor();
  await shop.mine(6);
  return toSats(numberAt(refund, 'amount_btc'));
}

async function readCreditNote(page: Page, id: string): Promise<string> {
  const list = async () => listAt(await callAs(shop.shop, page, 'GET', `/orders/${id}/invoices`), 'invoices');
  await waitUntil(async () => (await list()).length === 2);
  const [invoice, note] = await list();
  assert.deepEqual([textAt(invoice, 'kind'), numberAt(invoice, 'total_usd')], ['invoice', TOTAL_USD]);
  assert.deepEqual([textAt(note, 'kind'), numberAt(note, 'total_usd')], ['credit_note', REFUND_USD]);
  await visit(page, `/dashboard/orders/${id}`);
  await page.getByText('Refund confirmed').first().waitFor();
  await page.getByText(/^\$899\.10, at the bitcoin price of the refund: /).waitFor();
  await saveScreenshots(page, 'withdrawn-device-order');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Download credit note/ }).click(),
  ]);
  const text = readPdfText(await readFile(await file.path()))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
  for (const part of [textAt(note, 'number'), '899.10', '749.25', '149.85']) assert.ok(text.includes(part), text);
  return textAt(note, 'number');
}

type Row = Readonly<Record<string, string>>;

async function download(page: Page, button: string): Promise<readonly Row[]> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  await confirm(page, 'Download');
  return parse(await readFile(await (await downloading).path()), { columns: true });
}

const add = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);

/** Books, documents and charts have the same sums, to the cent and the satoshi. */
async function compareBooks(
  page: Page,
  order: unknown,
  { note, sats }: { readonly note: string; readonly sats: number },
) {
  await visit(page, '/admin/accounting');
  const number = textAt(order, 'number');
  const books = (await download(page, 'Download as CSV')).filter((row) => row['order'] === number);
  const sales = (await download(page, 'Download sales as CSV')).filter((row) => row['order'] === number);
  assert.equal(add(books, 'sats'), toSats(numberAt(order, 'payment', 'amount_btc')));
  assert.equal(add(books, 'refund_sats'), sats);
  const booked = books.find((row) => row['order_usd'] !== '');
  assert.deepEqual(
    [toCents(booked?.['order_usd']), toCents(booked?.['refund_usd'])],
    [toCents(TOTAL_USD), toCents(REFUND_USD)],
  );
  const of = (kind: string) => sales.filter((row) => row['kind'] === kind);
  const read = (kind: string) =>
    ['gross_usd', 'net_usd', 'tax_usd'].map((column) => of(kind).reduce((sum, row) => sum + toCents(row[column]), 0));
  const tax = toCents(numberAt(order, 'tax', 'total_usd'));
  assert.deepEqual(read('invoice'), [toCents(TOTAL_USD), toCents(TOTAL_USD) - tax, tax]);
  assert.deepEqual(read('credit_note'), [-toCents(REFUND_USD), -toCents(REFUND_NET_USD), -toCents(REFUND_TAX_USD)]);
  assert.equal(of('credit_note')[0]?.['document'], note);

  await visit(page, '/admin/sales?period=7d');
  await page.getByText('Figures as a table').click();
  const total = page.getByRole('region', { name: 'Figures by time' }).getByRole('row', { name: /^Total/ });
  const cells = await total.getByRole('cell').allInnerTexts();
  assert.deepEqual([cells[0], cells[1], cells[5], cells[7]], ['1', '$2,018.00', '$899.10', '$1,118.90']);
  await saveScreenshots(page, 'withdrawn-device-sales');
}

test('[RET-01] [RET-03] [RET-06] [RET-07] [OPS-27] [OPS-28] [OPS-29] one of two phones comes back', async () => {
  await shop.setStock(5);
  const buyer = await openPage(shop.shop);
  const name = await createBuyer(shop.shop);
  const email = `${name}@example.com`;
  await signIn(shop.shop, buyer.page, name);
  const id = await buy(buyer.page);
  await shipInTwoParcels(buyer.page, id);
  const reference = await withdrawFromOnePhone(email);
  const returnId = await sendBack(buyer.page, email, id, reference);

  const owner = await openPage(shop.shop, { expectedStatuses: [409] });
  await signIn(shop.shop, owner.page, 'owner', 'crypto-market');
  await receiveAndRefund(owner.page, returnId);
  const sats = await signAndSend(owner.page, id);
  const note = await readCreditNote(buyer.page, id);
  const [refund] = listAt(await callAs(shop.shop, buyer.page, 'GET', `/orders/${id}/timeline`), 'refunds');
  assert.ok(Math.abs(sats - (REFUND_USD / numberAt(refund, 'rate_usd')) * 1e8) <= 1, `${sats} satoshis`);
  await compareBooks(owner.page, await readOrder(buyer.page, id), { note, sats });
  // One of five is left with the buyer, and the other is for sale again.
  assert.equal((await shop.readStock()).available, 4);
  await buyer.close();
  await owner.close();
});
