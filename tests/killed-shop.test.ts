/** What survives when the shop is killed: carts, orders, mails, live updates and imports. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import './support/built-pages.ts';
import { checkCsv, logIn, readImport, waitForState } from './support/imports/upload.ts';
import { LiveClient } from './support/live-client.ts';
import { createOrder } from './support/new-order.ts';
import { listAt, textAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { parseMail, SmtpServer } from './support/smtp-server.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: SpawnedShop;
let productId: string;
before(async () => {
  shop = await startSpawnedShop();
  productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
after(() => shop.stop());

let buyers = 0;
const createBuyer = (): Promise<string> => createStockBuyer(shop, `survivor-${(buyers += 1)}`, productId);

test('[CART-08] keeps a cart through a power loss', async () => {
  const added = await shop.api('POST', '/cart/add', { body: { product_id: productId, quantity: 7 } });
  assert.equal(added.status, 200);
  const cookie = added.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await shop.kill9();
  await shop.restart();
  assert.deepEqual((await shop.api('GET', '/cart', { cookie })).body, added.body);
});

test('[API-06] a kill right after a checkout response loses nothing', async () => {
  const token = await createBuyer();
  const checkout = () =>
    shop.api('POST', '/cart/checkout', { token, body: BILLING, headers: { 'idempotency-key': 'before-the-kill' } });
  const first = await checkout();
  await shop.kill9();
  await shop.restart();
  const again = await checkout();
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.body, first.body);
});

/** Without the mail that confirms the email address. */
const listMailsTo = async (email: string): Promise<readonly unknown[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body).filter(
    (mail) => textAt(mail, 'subject') !== 'Please confirm your email address',
  );

test('[MAIL-01] a shop killed after the checkout mails once after its restart', async () => {
  const first = await createOrder(shop, 'reader-before');
  await shop.kill9();
  await shop.restart();
  await waitUntil(async () => (await listMailsTo(first.email)).length > 0);
  const next = await createOrder(shop, 'reader-after');
  await waitUntil(async () => (await listMailsTo(next.email)).length > 0);
  assert.equal((await listMailsTo(first.email)).length, 1);
});

const isOrderMail = ({ raw }: { readonly raw: string }): boolean =>
  parseMail(raw).headers.get('message-id')?.[0]?.includes('.made@') === true;

test('[MAIL-01] a restart sends the mail that a kill interrupted', async () => {
  const server = new SmtpServer();
  server.behaviour = { stallsAt: 'DATA' };
  await server.listen();
  try {
    const token = await createStockBuyer(shop, 'reader-in-hand', productId);
    const mailboxPath = '/dev/mail?to=reader-in-hand%40stock.example';
    await waitUntil(async () => listAt((await shop.api('GET', mailboxPath)).body).length > 0);
    await shop.restart({ SMTP_URL: server.url });
    assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 201);
    await waitUntil(() => server.connections > 0);
    // The server accepts the envelope and never responds.
    await shop.kill9();
    server.behaviour = {};
    await shop.restart({ SMTP_URL: server.url });
    await waitUntil(() => server.received.some(isOrderMail));
    assert.equal(server.received.filter(isOrderMail).length, 1);
  } finally {
    await shop.restart({ SMTP_URL: '' });
    await server.close();
  }
});

test('[WS-03] [PAY-08] sends the present state after a restart and a kill', async () => {
  const token = await createBuyer();
  const placed = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const orderId = textAt(placed.body, 'order', 'id');
  const listen = (): Promise<LiveClient> => new LiveClient(shop.url).signIn(token);
  const first = await listen();
  await shop.restart();
  assert.equal(await first.waitForClose(), 1012);
  const between = await listen();
  await waitUntil(() => between.listStates(orderId).length > 0);
  await shop.kill9();
  assert.equal(await between.waitForClose(), 1006);
  await shop.restart();
  const last = await listen();
  assert.equal((await shop.api('POST', '/dev/pay', { body: { order_id: orderId } })).status, 200);
  await waitUntil(() => last.listStates(orderId).at(-1) === 'seen');
  last.close();
});

const PICTURE = '/images/products/airtag/front.avif';
const HEAD = ['Handle', 'Title', 'Vendor', 'Type', 'Variant Price', 'Image Src'];
const createFile = (rows: readonly (readonly string[])[]): string => [HEAD, ...rows].map(formatCsvLine).join('');
const isKnown = async (at: number): Promise<boolean> => (await shop.api('GET', `/products/bulk-${at}`)).status === 200;

test('[OPS-12] after kill -9 in the middle the import completes as a whole', async () => {
  const staff = await logIn(shop, 'staff');
  const rows = Array.from({ length: 1200 }, (_, at) => [`bulk-${at}`, `Bulk ${at}`, 'Acme', 'Stands', '5.00', PICTURE]);
  const checked = await checkCsv(shop, staff, createFile(rows));
  const client = new Client({ ...(await shop.getConnection()) });
  client.on('error', () => {});
  await client.connect();
  // Stops the import after its first products are written.
  await client.query('begin; lock table product_values in share mode');
  await shop.api('POST', `/imports/${checked.id}/apply`, { token: staff, body: {} });
  await waitUntil(async () => textAt(await readImport(shop, staff, checked.id), 'phase') === 'writing');
  await shop.kill9();
  await client.query('rollback').catch(() => {});
  await client.end().catch(() => {});
  await shop.restart();
  const restarted = await logIn(shop, 'staff');
  const known = await Promise.all([isKnown(0), isKnown(600), isKnown(1199)]);
  assert.equal(new Set(known).size, 1, 'the catalogue is the old or the new one');
  const done = await waitForState(shop, restarted, checked.id, 'applied', 'failed', 'outdated');
  assert.equal(textAt(done, 'state'), 'applied');
  await waitUntil(async () => (await isKnown(0)) && (await isKnown(600)) && (await isKnown(1199)));
  const exported = await shop.api('GET', '/exports/products', { token: restarted });
  assert.equal(String(exported.body).match(/\r\nbulk-/g)?.length, 1200);
});
