/** The terms, withdrawal instruction and withdrawal form of an order, over HTTP and in its mails. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { GERMAN_TAX, putSettings } from './support/charge-settings.ts';
import { createOrder, findFirstProduct } from './support/new-order.ts';
import { readPdfText } from './support/read-pdf-text.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { parseMail, SmtpServer } from './support/smtp-server.ts';
import type { ParsedMail } from './support/smtp-server.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const FILE = 'order-terms.pdf';
const INSTRUCTION = /RIGHT OF WITHDRAWAL[\s\S]*within 14 days without giving any reason/i;
const FORM = /withdraw from my\/our \(\*\) contract of sale/;

let shop: TestShop;
let owner: string;
const server = new SmtpServer();
before(async () => {
  await server.listen();
  shop = await startTestShop({ settings: { SMTP_URL: server.url } });
  const body = { username: 'owner', password: 'crypto-market' };
  owner = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
});
after(async () => {
  await shop.stop();
  await server.close();
});

/** The mails to an address, with the part of the Message-ID that names their event. */
const listMails = (email: string, event: RegExp): ParsedMail[] =>
  server.received
    .filter(({ to }) => to.includes(email))
    .map(({ raw }) => parseMail(raw))
    .filter(({ headers }) => event.test(headers.get('message-id')?.[0] ?? ''));
async function waitForMail(email: string, event: RegExp): Promise<ParsedMail> {
  await waitUntil(() => listMails(email, event).length > 0);
  return listMails(email, event)[0] ?? assert.fail();
}
const readText = (mail: ParsedMail): string => (mail.parts.get('text/plain') ?? '').replaceAll('\r\n', '\n');
const readPdf = (bytes: Uint8Array): string => readPdfText(Buffer.from(bytes)).join(' ').replaceAll(/\s+/g, ' ');

/** Publishes terms with this sentence. */
async function publishTerms(sentence: string): Promise<number> {
  const read = async (): Promise<unknown> => (await shop.api('GET', '/content/legal/terms', { token: owner })).body;
  const body = {
    version: numberAt(await read(), 'draft', 'version'),
    summary: 'Our terms.',
    markdown: `${sentence}\n\n## Delivery\n\nWe pack well, as [Returns](/returns) says. The window is {payment_window}.`,
  };
  const saved = await shop.api('PUT', '/content/legal/terms', { token: owner, body });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const version = numberAt(saved.body, 'draft', 'version');
  const published = await shop.api('POST', '/content/legal/terms/publish', { token: owner, body: { version } });
  assert.equal(published.status, 200, JSON.stringify(published.body));
  return numberAt(published.body, 'versions', 0, 'number');
}
async function setSection(section: string, change: object): Promise<void> {
  const settings = (await shop.api('GET', '/shop/settings', { token: owner })).body;
  const body = Object.assign({}, valueAt(settings, section), change);
  const saved = await shop.api('PUT', `/shop/settings/${section}`, { token: owner, body });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
}
const describe = async (path: string, token: string): Promise<unknown> =>
  valueAt((await shop.api('GET', path, { token })).body, 'terms');
async function download(path: string, token: string): Promise<string> {
  const response = await fetch(`${shop.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', new RegExp(FILE));
  return readPdf(await response.bytes());
}

test('[RET-09] an order mail carries terms, instruction and form of its time', async () => {
  await setSection('legal', {
    company: 'Terms Ltd',
    contact_email: 'hello@terms.example',
    contact_phone: '+44 20 7946',
  });
  const number = await publishTerms('The first terms are here.');
  const first = await createOrder(shop, 'first-terms');
  const mail = await waitForMail(first.email, /\.made@/);
  const text = readText(mail);
  assert.match(text, new RegExp(`TERMS AND CONDITIONS \\(VERSION ${number}\\)`));
  assert.match(
    text,
    /The first terms are here\.\n\nDelivery\n\nWe pack well, as Returns \(http:\/\/[^)]+\/returns\) says\./,
  );
  assert.match(text, INSTRUCTION);
  assert.match(text, /\(Terms Ltd, 45 Elm Street, Kensington, London, UK, \+44 20 7946, hello@terms\.example\)/);
  assert.match(text, new RegExp(`online at ${shop.url.replace('127.0.0.1', '[\\w.]+')}/withdrawal\\.`));
  assert.match(text, /We will bear the cost of returning the goods/, 'as the demo shop says on its page');
  assert.match(text, FORM);
  const html = mail.parts.get('text/html') ?? '';
  for (const part of ['The first terms are here.', 'Model withdrawal form', 'Effects of withdrawal']) {
    assert.ok(html.includes(part), part);
  }
  const attached = mail.attachments.get(FILE) ?? assert.fail('no attachment');
  const printed = readPdf(attached);
  for (const part of ['The first terms are here.', 'Effects of withdrawal', 'Delete as appropriate.']) {
    assert.ok(printed.includes(part), part);
  }

  // What the merchant changes later is of later orders.
  await publishTerms('The second terms are here.');
  await setSection('legal', { company: 'Renamed Ltd' });
  const second = await createOrder(shop, 'second-terms');
  const later = readText(await waitForMail(second.email, /\.made@/));
  assert.ok(later.includes('The second terms are here.') && !later.includes('The first terms'));
  assert.ok(later.includes('(Renamed Ltd, ') && !later.includes('Terms Ltd'));

  const repeated = await shop.api('POST', `/orders/${first.id}/mails`, {
    token: owner,
    body: { mail: 'made', shipment: null },
  });
  assert.equal(repeated.status, 200, JSON.stringify(repeated.body));
  const again = await waitForMail(first.email, /\.requested-/);
  assert.ok(readText(again).includes('The first terms are here.') && readText(again).includes('(Terms Ltd, '));
  assert.ok(!readText(again).includes('The second terms'));
  assert.deepEqual(again.attachments.get(FILE), attached, 'the same PDF');

  const { token } = first;
  assert.equal(valueAt(await describe(`/orders/${first.id}/terms`, token), 'version'), number);
  assert.equal(valueAt(await describe(`/orders/${second.id}/terms`, second.token), 'version'), number + 1);
  assert.equal(valueAt(await describe(`/support/orders/${first.id}/terms`, owner), 'version'), number);
  assert.equal(await download(`/orders/${first.id}/terms/pdf`, token), printed);
  assert.equal(await download(`/support/orders/${first.id}/terms/pdf`, owner), printed);
  assert.equal((await shop.api('GET', `/orders/${first.id}/terms/pdf`, { token: second.token })).status, 404);
  assert.equal((await shop.api('GET', `/orders/${first.id}/terms`, { token: second.token })).status, 404);
});

test('[RET-09] a business, and a shop without EU consumers, get the terms only', async () => {
  await publishTerms('Terms for all are here.');
  // Only a shop with taxes asks for VAT numbers.
  assert.equal((await putSettings(shop, 'tax', GERMAN_TAX, owner)).status, 200);
  const business = await createOrder(shop, 'business-terms', {
    ...BILLING,
    country: 'FR',
    postcode: '75001',
    vatNumber: 'FR40303265045',
  });
  const consumer = await createOrder(shop, 'consumer-terms');
  await setSection('consumers', { sells_to_eu_consumers: false });
  const elsewhere = await createOrder(shop, 'elsewhere-terms');
  await setSection('consumers', { sells_to_eu_consumers: true });
  for (const { email, id, token } of [business, elsewhere]) {
    const mail = await waitForMail(email, /\.made@/);
    assert.match(readText(mail), /Terms for all are here\./);
    assert.doesNotMatch(readText(mail), INSTRUCTION);
    assert.doesNotMatch(readText(mail), FORM);
    const printed = readPdf(mail.attachments.get(FILE) ?? assert.fail());
    assert.ok(printed.includes('Terms for all') && !printed.includes('withdraw'), printed);
    assert.equal(listAt(await describe(`/orders/${id}/terms`, token), 'titles').length, 1);
  }
  assert.match(readText(await waitForMail(consumer.email, /\.made@/)), FORM);
  assert.equal(listAt(await describe(`/orders/${consumer.id}/terms`, consumer.token), 'titles').length, 4);
});

test('[RET-09] terms that another process published apply at once', async () => {
  await runWithShopDatabase(shop, (db) =>
    sql`insert into legal_versions (kind, number, summary, markdown, published_at)
      select kind, max(number) + 1, 'Terms', 'Terms of another process are here.', now()
      from legal_versions where kind = 'terms' group by kind`.execute(db),
  );
  const { email } = await createOrder(shop, 'process-terms');
  assert.match(readText(await waitForMail(email, /\.made@/)), /Terms of another process are here\./);
});

test('[RET-09] an order with nothing to pay gets the texts with its receipt', async () => {
  const { body: products } = await shop.api('GET', '/products?sort=price_asc&limit=1');
  const token = await createStockBuyer(shop, 'free-terms', textAt(products, 0, 'id'));
  assert.equal((await shop.api('POST', '/promocodes/apply', { token, body: { code: 'MINUS50' } })).status, 200);
  assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 201);
  const mail = await waitForMail('free-terms@stock.example', /\.paid@/);
  assert.match(readText(mail), FORM);
  assert.ok(mail.attachments.has(FILE));
});

test('[RET-09] an order that staff create has the terms of that time', async () => {
  const number = await publishTerms('Terms for a phone order are here.');
  const token = owner;
  const lines = [{ product_id: await findFirstProduct(shop), property_value_ids: [], quantity: 1 }];
  const preview = await shop.api('POST', '/support/orders/preview', { token, body: { lines, country: 'GB' } });
  const expected_total_usd = numberAt(preview.body, 'totalCartValue');
  const customer = { email: 'phone-terms@phone.example', name: 'Phone Terms' };
  const body = { ...customer, lines, billing: BILLING, window: '24h', expected_total_usd };
  const created = await shop.api('POST', '/support/orders', { token, body });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const id = textAt(created.body, 'order_id');
  assert.equal(valueAt(await describe(`/support/orders/${id}/terms`, token), 'version'), number);
  assert.match(readText(await waitForMail(customer.email, /\.made@/)), /Terms for a phone order are here\./);
});

test('[RET-09] later mails about an order do not repeat the texts', async () => {
  const order = await createOrder(shop, 'later-terms');
  await waitForMail(order.email, /\.made@/);
  const { token } = order;
  assert.equal((await shop.api('POST', `/orders/${order.id}/cancel`, { token })).status, 200);
  const mail = await waitForMail(order.email, /\.cancelled@/);
  assert.doesNotMatch(readText(mail), FORM);
  assert.equal(mail.attachments.size, 0);
});
