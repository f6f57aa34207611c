/** The merchant's texts over HTTP: home page, questions, legal texts, on two processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiRequest, ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let second: ShopProcess;
let owner: string;
let staff: string;
before(async () => {
  shop = await startTestShop();
  second = await startSecondProcess(shop);
  [owner, staff] = await Promise.all([logInAs('owner'), logInAs('staff')]);
});
after(async () => {
  await second.stop();
  await shop.stop();
});

async function logInAs(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}
const asStaff = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<ApiResponse> =>
  shop.api(method, `/content${path}`, { token: staff, ...(body === undefined ? {} : { body }) } satisfies ApiRequest);
const readCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const readPage = async (url: string, path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
const showsDraft = (html: string): boolean => html.includes('Within <strong>two hours</strong>.');
const readSubtitle = (html: string): string => /<p class="[^"]+">(From [^<]*)<\/p>/.exec(html)?.[1] ?? '';

type Section = Readonly<Record<string, unknown>>;
const readRecord = (value: unknown): Section =>
  typeof value === 'object' && value !== null ? { ...value } : assert.fail(String(value));
async function readSection(name: string): Promise<{ version: number; is_shown: boolean; body: Section }> {
  const { body } = await asStaff('GET', '/home');
  return { version: numberAt(body, name, 'version'), is_shown: true, body: readRecord(valueAt(body, name, 'body')) };
}
async function edit(name: string, change: Section): Promise<ApiResponse> {
  const { body, ...rest } = await readSection(name);
  return asStaff('PUT', `/home/${name}`, { ...rest, body: { ...body, ...change } });
}
/** The milliseconds until the other process shows it. */
async function waitForSecond(path: string, isShown: (html: string) => boolean): Promise<number> {
  const start = performance.now();
  await waitUntil(async () => isShown(await readPage(second.url, path)));
  return performance.now() - start;
}

test('[OPS-07] [HOME-01] the demo’s hero quotes the price at the demo rate', async () => {
  const html = await readPage(shop.url, '/');
  assert.equal(readSubtitle(html), 'From 0.009 BTC or $999');
  assert.match(html, /<title>Crypto Market: buy Apple devices with Bitcoin<\/title>/);
});

test('[PAY-13] [PAGE-05] returns, terms, guide and FAQ name one way to a refund', async () => {
  const pages = await Promise.all(['/returns', '/terms', '/how-to-buy'].map((path) => readPage(shop.url, path)));
  const { body: questions } = await shop.api('GET', '/faq');
  for (const text of [...pages, JSON.stringify(questions)]) {
    assert.match(text, /the address that you confirm on the page of your order/);
    assert.doesNotMatch(text, /address in (the|a|your) ticket/);
  }
});

test('[OPS-07] title and description of the home page are a section', async () => {
  const stored = await readSection('search');
  const description = 'Phones from {from_usd}.';
  assert.equal((await edit('search', { title: '', description })).status, 200);
  const html = await readPage(shop.url, '/');
  assert.match(html, /<title>Crypto Market<\/title>/);
  assert.match(html, /<meta name="description" content="Phones from \$999\."\/>/);
  const manifest: unknown = await (await fetch(`${shop.url}/manifest.webmanifest`)).json();
  assert.equal(textAt(manifest, 'description'), 'Phones from $999.');
  assert.equal(readCode(await edit('search', { title: 'From {from_usd}' })), '400 invalid');
  assert.equal((await edit('search', stored.body)).status, 200);
  assert.match(await readPage(shop.url, '/'), /<title>Crypto Market: buy Apple devices with Bitcoin<\/title>/);
});

test('[OPS-07] delivery times of areas are checked and shown', async () => {
  const { body } = await readSection('delivery');
  const range = { from: 3, to: 5, unit: 'days' };
  const area = { area: 'Japan', regions: [], countries: ['JP'], range, note: '' };
  const refused: readonly (readonly [Section, string])[] = [
    [{ dispatch: { ...range, to: 2 } }, 'body.dispatch.to'],
    [{ times: [{ ...area, countries: ['XX'] }] }, 'body.times.0.countries.0'],
    [{ times: [{ ...area, regions: ['Atlantis'] }] }, 'body.times.0.regions.0'],
    [{ times: [{ ...area, range: null }] }, 'body.times.0.note'],
    [{ times: [{ ...area, range: { ...range, unit: 'weeks' } }] }, 'body.times.0.range.unit'],
  ];
  for (const [change, field] of refused) {
    const response = await edit('delivery', change);
    assert.equal(readCode(response), '400 invalid', JSON.stringify(change));
    assert.deepEqual(Object.keys(readRecord(valueAt(response.body, 'error', 'fields'))), [field]);
  }
  assert.equal((await edit('delivery', { dispatch: { ...range, unit: 'hours' }, times: [area] })).status, 200);
  const html = await readPage(shop.url, '/free-shipping');
  assert.match(html, /shipped with in <span[^>]*>3–5<\/span> hours/);
  assert.match(html, /<dt>Japan<\/dt><dd><span[^>]*>3–5<\/span> days after dispatch/);
  await waitForSecond('/contact', (page) => page.includes('Delivery 3–5 days after dispatch'));
  assert.equal((await edit('delivery', { dispatch: null, times: [], exception: '', packaging: '' })).status, 200);
  const silent = await readPage(shop.url, '/free-shipping');
  const claims = ['Delivery 3–5', 'shipped with in', 'Fast dispatch', 'Secure packaging', 'Delivery times</h2>'];
  assert.deepEqual(
    claims.filter((claim) => silent.includes(claim)),
    [],
  );
  assert.equal((await edit('delivery', body)).status, 200);
});

test('[OPS-07] an edit shows in both processes', async () => {
  for (const path of ['/', '/']) await readPage(second.url, path);
  const headline = 'Buy out every gadget';
  assert.equal((await edit('hero', { headline })).status, 200);
  assert.ok((await readPage(shop.url, '/')).includes(headline), 'at once in the process of the change');
  const ms = await waitForSecond('/', (html) => html.includes(headline));
  assert.ok(ms < 10_000, `${ms} ms`);
});

test('[OPS-07] prices in texts follow the product of the hero', async () => {
  assert.equal((await edit('hero', { product: 'airtag' })).status, 200);
  const { body: product } = await shop.api('GET', '/products/airtag');
  const usd = numberAt(product, 'base_price_in_usd');
  assert.ok(readSubtitle(await readPage(shop.url, '/')).endsWith(` or $${usd}`));
  assert.equal((await edit('hero', { product: '' })).status, 200);
  const { body } = await shop.api('GET', '/products?sort=price_asc&limit=1');
  const cheapest = numberAt(listAt(body)[0], 'base_price_in_usd');
  assert.ok(readSubtitle(await readPage(shop.url, '/')).endsWith(` or $${cheapest}`));
  assert.equal((await edit('hero', { product: 'iphone-air' })).status, 200);
  assert.equal(readSubtitle(await readPage(shop.url, '/')), 'From 0.009 BTC or $999');
});

test('[OPS-07] refuses unknown placeholders, foreign links and pictures', async () => {
  const cases: readonly (readonly [Section, string])[] = [
    [{ subtitle: 'From {price}' }, 'body.subtitle'],
    [{ headline: 'From {from_usd}' }, 'body.headline'],
    [{ headline: '' }, 'body.headline'],
    [{ headline: 'x'.repeat(101) }, 'body.headline'],
    [{ line: 'a\u0000b' }, 'body.line'],
    [{ product: 'no-such-product' }, 'body.product'],
    [{ buttons: [{ text: 'Go', to: 'https://evil.example' }] }, 'body.buttons.0.to'],
    [{ buttons: [{ text: 'Go', to: '//evil.example' }] }, 'body.buttons.0.to'],
    [{ buttons: [{ text: 'Go', to: 'mailto:x@evil.example' }] }, 'body.buttons.0.to'],
    [{ picture: { path: 'https://evil.example/a.png', alt: '', widths: [] } }, 'body.picture.path'],
    [{ picture: { path: '/images/a.html', alt: '', widths: [] } }, 'body.picture.path'],
  ];
  const old = await readSection('hero');
  for (const [change, field] of cases) {
    const response = await edit('hero', change);
    assert.equal(readCode(response), '400 invalid', JSON.stringify(change));
    assert.deepEqual(Object.keys(readRecord(valueAt(response.body, 'error', 'fields'))), [field]);
  }
  const refused = await edit('hero', { subtitle: 'From {price}' });
  assert.equal(
    textAt(refused.body, 'error', 'fields', 'body.subtitle'),
    'contains {price}, which is not a placeholder. Use {from_btc}, {from_usd}',
  );
  assert.deepEqual(await readSection('hero'), old, 'nothing was stored');
});

test('[OPS-07] the second of two edits of one version gets 409', async () => {
  const section = await readSection('banner');
  const save = (title: string) => asStaff('PUT', '/home/banner', { ...section, body: { ...section.body, title } });
  const statuses = (await Promise.all([save('One'), save('Two'), save('Three')])).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  assert.equal(readCode(await save('Late')), '409 changed-meanwhile');
});

test('[OPS-07] a hidden section is left out of the home page', async () => {
  const section = await readSection('partners');
  await asStaff('PUT', '/home/partners', { ...section, is_shown: false });
  assert.ok(!(await readPage(shop.url, '/')).includes('/partners/partner-1.svg'));
  await asStaff('PUT', '/home/partners', { ...section, version: section.version + 1 });
  assert.ok((await readPage(shop.url, '/')).includes('/partners/partner-1.svg'));
});

test('[OPS-07] rows show the chosen categories in their order', async () => {
  const { body } = await shop.api('GET', '/categories');
  const category = listAt(body).find((one) => textAt(one, 'name') === 'Watch') ?? listAt(body)[4];
  const rows = [{ title: 'On your wrist', categories: [textAt(category, 'id')], count: 2 }];
  const section = await readSection('rows');
  assert.equal((await asStaff('PUT', '/home/rows', { ...section, body: { rows } })).status, 200);
  const html = await readPage(shop.url, '/');
  assert.ok(html.includes('On your wrist') && !html.includes('Buy new iPad'));
  await asStaff('PUT', '/home/rows', { ...section, version: section.version + 1 });
});

test('[OPS-07] how to buy quotes the settings until staff write their own', async () => {
  const standard = await readPage(shop.url, '/how-to-buy');
  for (const figure of ['two hours', '15 minutes', '2 percent', 'two from $500']) assert.ok(standard.includes(figure));
  const { body } = await asStaff('GET', '/guide');
  const texts = { lead: 'For {shop_name}.', markdown: '## Pay\n\nWithin {payment_window}. <b>Now</b> [x](vbscript:a)' };
  const refused = await asStaff('PUT', '/guide', { version: 0, ...texts, markdown: 'In {minutes}' });
  assert.equal(readCode(refused), '400 invalid');
  assert.match(textAt(refused.body, 'error', 'fields', 'markdown'), /\{minutes\}, which is not a placeholder/);
  assert.equal(valueAt(body, 'is_own'), false);
  assert.equal((await asStaff('PUT', '/guide', { version: 0, ...texts })).status, 200);
  assert.equal(readCode(await asStaff('PUT', '/guide', { version: 0, ...texts })), '409 changed-meanwhile');
  const own = await readPage(shop.url, '/how-to-buy');
  for (const part of ['For Crypto Market.', 'Within two hours.', '&lt;b&gt;Now&lt;/b&gt;'])
    assert.ok(own.includes(part));
  assert.ok(!own.includes('href="vbscript') && !own.includes('BlueWallet'));
  await waitForSecond('/how-to-buy', (html) => html.includes('For Crypto Market.'));
  assert.equal((await asStaff('POST', '/guide/reset', { version: 1 })).status, 200);
  assert.equal(readCode(await asStaff('POST', '/guide/reset', { version: 1 })), '409 changed-meanwhile');
  assert.ok((await readPage(shop.url, '/how-to-buy')).includes('BlueWallet'));
});

test('[OPS-07] texts quote a new name of the shop at once', async () => {
  const { body } = await shop.api('GET', '/shop/settings', { token: owner });
  const identity = readRecord(valueAt(body, 'identity'));
  const { body: guide } = await asStaff('GET', '/guide');
  const version = numberAt(guide, 'version');
  const markdown = 'Order at {shop_name}.';
  assert.equal((await asStaff('PUT', '/guide', { version, lead: 'Pay', markdown })).status, 200);
  assert.ok((await readPage(shop.url, '/how-to-buy')).includes('Order at Crypto Market.'));
  const rename = (values: Section) => shop.api('PUT', '/shop/settings/identity', { token: owner, body: values });
  assert.equal((await rename({ ...identity, name: 'Nordic Bits' })).status, 200);
  assert.ok((await readPage(shop.url, '/how-to-buy')).includes('Order at Nordic Bits.'));
  await waitForSecond('/how-to-buy', (html) => html.includes('Order at Nordic Bits.'));
  const stored = numberAt(identity, 'version') + 1;
  assert.equal((await rename({ ...identity, version: stored })).status, 200);
  assert.equal((await asStaff('POST', '/guide/reset', { version: version + 1 })).status, 200);
});

test('[OPS-07] staff add, edit, move and delete questions', async () => {
  const listQuestions = async (): Promise<string[]> =>
    listAt((await shop.api('GET', '/faq')).body).map((one) => textAt(one, 'question'));
  const initial = await listQuestions();
  const added = await asStaff('POST', '/faq', { question: 'Is it new?', answer: 'Within {payment_window}, yes.' });
  assert.equal(added.status, 201);
  const item = listAt(added.body, 'items').at(-1);
  const id = textAt(item, 'id');
  const served = listAt((await shop.api('GET', '/faq')).body).at(-1);
  assert.equal(textAt(served, 'answer'), 'Within two hours, yes.');
  const ids = listAt(added.body, 'items').map((one) => textAt(one, 'id'));
  const version = numberAt(added.body, 'version');
  const order = [id, ...ids.slice(0, -1)];
  assert.equal((await asStaff('PUT', '/faq-order', { version, ids: order })).status, 200);
  assert.deepEqual(await listQuestions(), ['Is it new?', ...initial]);
  assert.equal(readCode(await asStaff('PUT', '/faq-order', { version, ids })), '409 changed-meanwhile');
  const foreign = { version: version + 1, ids: order.slice(1) };
  assert.equal(readCode(await asStaff('PUT', '/faq-order', foreign)), '409 changed-meanwhile');
  assert.deepEqual(await listQuestions(), ['Is it new?', ...initial], 'a refused order changes nothing');
  const change = { version: 1, question: 'Is it brand new?', answer: 'Yes' };
  assert.equal((await asStaff('PUT', `/faq/${id}`, change)).status, 200);
  assert.equal(readCode(await asStaff('PUT', `/faq/${id}`, change)), '409 changed-meanwhile');
  assert.equal(readCode(await asStaff('DELETE', `/faq/${id}?version=1`)), '409 changed-meanwhile');
  assert.equal(readCode(await asStaff('POST', '/faq', { question: 'Why {x}?', answer: 'So' })), '400 invalid');
  assert.ok((await waitForSecond('/', (html) => html.includes('Is it brand new?'))) < 10_000);
  assert.equal((await asStaff('DELETE', `/faq/${id}?version=2`)).status, 200);
  assert.deepEqual(await listQuestions(), initial);
});

test('[OPS-07] a list of 100 questions takes no more', async () => {
  const add = () => asStaff('POST', '/faq', { question: 'Again?', answer: 'Again' });
  const { body } = await asStaff('GET', '/faq');
  await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  const statuses = [];
  for (let count = listAt(body, 'items').length; count < 102; count += 1) statuses.push((await add()).status);
  assert.deepEqual(statuses.slice(-2), [409, 409]);
  assert.equal(statuses.filter((status) => status === 201).length, statuses.length - 2);
});

test('[OPS-07] owners publish versions of legal texts; staff write drafts', async () => {
  const read = () => asStaff('GET', '/legal/terms');
  const first = (await read()).body;
  assert.equal(numberAt(first, 'draft', 'version'), 0);
  const draft = { version: 0, summary: 'Our new terms.', markdown: '# One\n\nWithin **{payment_window}**.' };
  assert.equal((await asStaff('PUT', '/legal/terms', draft)).status, 200);
  assert.equal(readCode(await asStaff('PUT', '/legal/terms', draft)), '409 changed-meanwhile');
  const publish = (token: string, version: number) =>
    shop.api('POST', '/content/legal/terms/publish', { token, body: { version } });
  assert.equal(readCode(await publish(staff, 1)), '403 forbidden');
  assert.equal(readCode(await publish(owner, 7)), '409 changed-meanwhile');
  assert.ok((await readPage(shop.url, '/terms')).includes('Who we are'), 'a draft is not shown');
  const published = await Promise.all([publish(owner, 1), publish(owner, 1)]);
  assert.deepEqual(
    published.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  assert.ok(showsDraft(await readPage(shop.url, '/terms')));
  assert.ok((await waitForSecond('/terms', showsDraft)) < 10_000);
  const { body } = await read();
  assert.deepEqual(
    listAt(body, 'versions').map((one) => [numberAt(one, 'number'), valueAt(one, 'published_by')]),
    [
      [2, 'owner'],
      [1, null],
    ],
  );
  const old = await asStaff('GET', '/legal/terms/1');
  assert.match(textAt(old.body, 'markdown'), /## Who we are/);
  const restored = await asStaff('POST', '/legal/terms/restore', { version: 1, number: 1 });
  assert.equal(textAt(restored.body, 'draft', 'markdown'), textAt(old.body, 'markdown'));
  assert.ok(showsDraft(await readPage(shop.url, '/terms')), 'a restored draft is not in force');
  const unknown = { version: 2, summary: 'x', markdown: 'In {days}' };
  assert.equal(readCode(await asStaff('PUT', '/legal/terms', unknown)), '400 invalid');
});

test('[PAGE-06] the accessibility statement is a page that the footer links', async () => {
  const page = await (await fetch(`${shop.url}/accessibility`)).text();
  assert.match(page, /<h1[^>]*>Accessibility<\/h1>/);
  assert.match(page, /No outside expert .* has assessed this website/);
  assert.match(page, /<a [^>]*href="\/accessibility"[^>]*>Accessibility<\/a>/);
});

test('[OPS-07] accepts a legal text of 60,000 characters', async () => {
  const markdown = `## Long\n\n${'lorem ipsum '.repeat(4999)}`.slice(0, 60_000).trim();
  assert.equal((await asStaff('PUT', '/legal/returns', { version: 0, summary: 'Long.', markdown })).status, 200);
  const tooLong = { version: 1, summary: 'Long.', markdown: 'x'.repeat(60_001) };
  assert.equal(readCode(await asStaff('PUT', '/legal/returns', tooLong)), '400 invalid');
});

test('[OPS-07] [ACC-02] a registration stores the version of the terms in force', async () => {
  const email = 'agreed@texts.example';
  await shop.api('POST', '/users/register', { body: { username: 'agreed', email, password: 'crypto-market' } });
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'agreed', password: 'crypto-market' } });
  const token = textAt(body, 'tokens', 'accessToken');
  const { body: user } = await shop.api('GET', '/users/user', { token });
  const data = await shop.api('GET', `/users/${textAt(user, 'id')}/data`, { token });
  assert.equal(numberAt(data.body, 'user', 'accepted_terms'), 2);
});
