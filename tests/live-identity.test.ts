/** A live shop shows the identity that its owner entered, and nothing of the demo shop. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import './support/built-pages.ts';
import { recordBackup } from '#src/platform/database/backup-record.ts';
import { addVariants } from './support/add-variants.ts';
import { startLiveShop } from './support/live-shop.ts';
import type { LiveShop } from './support/live-shop.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { parseMail } from './support/smtp-server.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makePicture } from './support/hostile-pictures.ts';
import { uploadPicture } from './support/upload-picture.ts';
import { setUpApp } from './support/totp-app.ts';
import { waitUntil } from './support/wait-until.ts';

/** The demo's identity, and promises that only its texts and settings make. */
const DEMO = ['Crypto Market', '45 Elm', 'Kensington', 'iPhone', 'MacBook', 'business day', 'device we sell'];
const PUBLIC_PAGES = [
  '/',
  '/catalog',
  '/catalog/category/bikes',
  '/catalog/product/city-bike',
  '/compare',
  '/search-results?query=bike',
  '/cart',
  '/login',
  '/registration',
  '/lost-password',
  '/promo',
  '/free-shipping',
  '/contact',
  '/how-to-buy',
  '/terms',
  '/privacy',
  '/returns',
  '/no-such-page',
];
const PASSWORD = 'a long enough password';

let live: LiveShop;
before(async () => {
  live = await startLiveShop();
  await runWithShopDatabase(live.shop, async (db) => {
    const [brand, category, product] = [uuidv7(), uuidv7(), uuidv7()];
    await sql`insert into brands (id, name, slug) values (${brand}, 'Velo', 'velo')`.execute(db);
    await sql`insert into categories (id, name, slug) values (${category}, 'Bikes', 'bikes')`.execute(db);
    await sql`insert into products (id, name, slug, article, category_id, brand_id, base_price_cents, description,
        sub_description, specifications, images, main_image)
      values (${product}, 'City bike', 'city-bike', 'B1', ${category}, ${brand}, 49900, 'A bike', 'Seven gears', '{}',
        '{}', '/api/images/b.avif')`.execute(db);
    await addVariants(db);
  });
  await live.shop.restart();
});

async function register(username: string): Promise<string> {
  const { shop } = live;
  const email = `${username}@buyer.example`;
  const { status, body } = await shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } });
  assert.ok(status < 300, JSON.stringify(body));
  return logIn(username);
}

async function logIn(username: string): Promise<string> {
  const { body } = await live.shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });
  return textAt(body, 'tokens', 'accessToken');
}

async function makeOwner(username: string): Promise<string> {
  await register(username);
  await runWithShopDatabase(live.shop, (db) =>
    sql`update users set role = 'owner' where username = ${username}`.execute(db),
  );
  return (await setUpApp(live.shop, username, PASSWORD)).token;
}

after(() => live.stop());

/** Again while the busy machine sheds load. */
async function readPage(path: string): Promise<string> {
  for (;;) {
    const response = await fetch(`${live.shop.url}${path}`);
    const text = await response.text();
    if (response.status !== 503) return text;
    await sleep(500);
  }
}

const findMailTo = (username: string) => live.smtp.received.find(({ to }) => to.includes(`${username}@buyer.example`));

function assertNothingOfDemo(text: string, where: string): void {
  for (const word of DEMO) assert.ok(!text.includes(word), `${where} holds "${word}"`);
  assert.ok(!text.includes('Apple'), `${where} holds "Apple"`);
}

async function readEverywhere(): Promise<ReadonlyMap<string, string>> {
  const paths = [...PUBLIC_PAGES, '/manifest.webmanifest', '/api/openapi.json', '/api/docs', '/api/shop'];
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await readPage(path));
  return texts;
}

test('[OPS-07] a live shop without settings names no shop', async () => {
  const pages = await readEverywhere();
  for (const [path, text] of pages) assertNothingOfDemo(text, path);
  assert.match(pages.get('/contact') ?? '', /<title>Contact Us<\/title>/);
  assert.match(pages.get('/') ?? '', /<title>Home<\/title>/);
  assert.doesNotMatch(pages.get('/catalog') ?? '', /favicon|og:image|og:site_name|apple-touch-icon\.png/);
  const manifest: unknown = JSON.parse(pages.get('/manifest.webmanifest') ?? '');
  assert.equal(textAt(manifest, 'name'), new URL(live.shop.url).host);
  assert.deepEqual(valueAt(manifest, 'icons'), []);
});

test('[OPS-07] a mail of a live shop without settings has the configured address only', async () => {
  await register('early-bird');
  await waitUntil(() => findMailTo('early-bird') !== undefined);
  const { headers, parts } = parseMail(findMailTo('early-bird')?.raw ?? '');
  assert.deepEqual(headers.get('from'), ['no-reply@127.0.0.1']);
  for (const part of parts.values()) assertNothingOfDemo(part, 'the mail');
});

test('[OPS-20] /readyz of a live shop returns only whether it is ready', async () => {
  const response = await fetch(`${live.shop.url}/readyz`);
  assert.deepEqual([response.status, await response.json()], [200, { status: 'ready' }]);
});

test('[OPS-07] the checklist of a live shop names what is missing', async () => {
  const owner = await makeOwner('checker');
  const readSteps = async () =>
    listAt((await live.shop.api('GET', '/support/setup', { token: owner })).body, 'steps').map((one) => [
      textAt(one, 'step'),
      valueAt(one, 'is_done'),
    ]);
  assert.deepEqual(await readSteps(), [
    ['identity', false],
    ['mail', false],
    ['texts', false],
    ['tax', false],
    ['shipping', false],
    ['category', true],
    ['product', true],
    ['stock', true],
    ['test-order', false],
    ['backup', false],
  ]);
  const tax = await live.shop.api('GET', '/tax/settings', { token: owner });
  await live.shop.api('PUT', '/tax/settings', { token: owner, body: valueAt(tax.body) });
  assert.ok((await readSteps()).some(([step, isDone]) => step === 'tax' && isDone === true));
  // An old one is reported among what waits, and does not bring back a list that was done.
  await runWithShopDatabase(live.shop, (db) => recordBackup(db, new Date('2026-01-01T00:00:00Z'), 'other'));
  assert.ok((await readSteps()).some(([step, isDone]) => step === 'backup' && isDone === true));
  const todo = await live.shop.api('GET', '/support/todo', { token: owner });
  assert.equal(valueAt(todo.body, 'backup', 'is_due'), true);
  const compared = await live.shop.api('GET', '/support/sales/comparison', { token: owner });
  assert.deepEqual([valueAt(compared.body, 'before'), valueAt(compared.body, 'first_sale')], [null, null]);
});

test('[OPS-07] a live shop shows its own identity and nothing of the demo', async () => {
  const { shop, smtp } = live;
  const owner = await makeOwner('keeper');
  const { body: uploaded } = await uploadPicture(shop, owner, await makePicture('png'));
  const picture = textAt(uploaded, 'path');
  const sections = {
    identity: {
      name: 'Nordic Bikes',
      address: 'Torget 1, 0001 Oslo',
      delivery_line: 'Delivered in two days',
      logo_path: picture,
      favicon_path: picture,
    },
    legal: {
      company: 'Nordic Bikes AS',
      registration_number: 'NO 999',
      tax_number: 'NO 999 MVA',
      contact_email: 'help@bikes.example',
      contact_phone: '+47 22 00 00 00',
      footer_note: 'Made in Oslo',
    },
    orders: { order_prefix: 'NB-' },
    mail: { sender_name: 'Kari of Nordic Bikes', mail_footer: 'Org. NO 999', support_email: 'staff@bikes.example' },
    announcement: {
      announcement_text: 'Spring sale',
      announcement_link: 'https://bikes.example/sale',
      announcement_is_on: true,
    },
  };
  for (const [section, values] of Object.entries(sections)) {
    const { status, body } = await shop.api('PUT', `/shop/settings/${section}`, {
      token: owner,
      body: { version: 0, ...values },
    });
    assert.equal(status, 200, JSON.stringify(body));
  }
  const search = { title: 'Nordic Bikes: ride home', description: 'Bikes for every day, paid in bitcoin.' };
  const { status: saved } = await shop.api('PUT', '/content/home/search', {
    token: owner,
    body: { version: 0, is_shown: true, body: search },
  });
  assert.equal(saved, 200);
  const pages = await readEverywhere();
  for (const [path, text] of pages) {
    assertNothingOfDemo(text, path);
    if (PUBLIC_PAGES.includes(path)) {
      for (const own of ['Nordic Bikes', 'Torget 1', 'Spring sale', 'Made in Oslo', 'rel="apple-touch-icon"']) {
        assert.ok(text.includes(own), `${path} lacks "${own}"`);
      }
    }
  }
  assert.match(pages.get('/') ?? '', /<title>Nordic Bikes: ride home<\/title>/);
  assert.match(pages.get('/') ?? '', /"@type":"Organization","name":"Nordic Bikes"/);
  assert.match(pages.get('/contact') ?? '', /"legalName":"Nordic Bikes AS","address":"Torget 1, 0001 Oslo"/);
  assert.match(pages.get('/catalog') ?? '', /og:site_name" content="Nordic Bikes"/);
  const manifest: unknown = JSON.parse(pages.get('/manifest.webmanifest') ?? '');
  assert.deepEqual(
    [textAt(manifest, 'name'), textAt(manifest, 'description')],
    ['Nordic Bikes', 'Bikes for every day, paid in bitcoin.'],
  );
  assert.match(pages.get('/api/openapi.json') ?? '', /"title":"Nordic Bikes API"/);

  const buyer = await register('rider');
  const [product] = listAt((await shop.api('GET', '/products')).body);
  await shop.api('POST', '/cart/add', { token: buyer, body: { product_id: textAt(product, 'id'), quantity: 1 } });
  const { body, status } = await shop.api('POST', '/cart/checkout', { token: buyer, body: BILLING });
  assert.equal(status, 201, JSON.stringify(body));
  const number = textAt(body, 'order', 'number');
  assert.match(number, /^NB-\d+$/);
  assert.ok(
    textAt(body, 'order', 'payment', 'bip21').endsWith(`label=${encodeURIComponent(`Nordic Bikes ${number}`)}`),
  );

  // The order as its buyer sees and prints it.
  const login = await fetch(`${shop.url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    body: JSON.stringify({ username: 'rider', password: PASSWORD }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const receipt = await (
    await fetch(`${shop.url}/dashboard/orders/${textAt(body, 'order', 'id')}`, { headers: { cookie } })
  ).text();
  assertNothingOfDemo(receipt, 'the receipt');
  for (const own of ['Nordic Bikes AS', 'Torget 1', 'Tax number NO 999 MVA', number])
    assert.ok(receipt.includes(own), own);

  const findMail = () =>
    smtp.received
      .map(({ raw }) => parseMail(raw))
      .find(({ parts }) => [...parts.values()].some((part) => part.includes(number)));
  await waitUntil(() => findMail() !== undefined);
  const mail = findMail();
  assert.match(mail?.headers.get('from')?.[0] ?? '', /^Kari of Nordic Bikes <no-reply@/);
  for (const part of mail?.parts.values() ?? []) {
    assertNothingOfDemo(part, 'the mail');
    for (const own of ['Nordic Bikes', 'Torget 1', 'Org. NO 999']) assert.ok(part.includes(own), own);
  }
});
