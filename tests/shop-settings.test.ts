/** Identity and settings of the shop over HTTP: who may change them, what is refused, and other processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { demoSettings } from '../db/seed/shop-settings.ts';
import { createOrder } from './support/new-order.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let owner: string;
let staff: string;
before(async () => {
  shop = await startTestShop();
  owner = await logInAs('owner');
  staff = await logInAs('staff');
});
after(() => shop.stop());

async function logInAs(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}

type Section = 'identity' | 'legal' | 'orders' | 'time' | 'mail' | 'announcement' | 'prices';
async function readSection(section: Section): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await shop.api('GET', '/shop/settings', { token: staff });
  return Object.fromEntries(keysAt(body, section).map((name) => [name, valueAt(body, section, name)]));
}
async function change(section: Section, values: object, token = owner): Promise<ApiResponse> {
  const body = { ...(await readSection(section)), ...values };
  return shop.api('PUT', `/shop/settings/${section}`, { token, body });
}
const readPage = async (path: string, url = shop.url): Promise<string> => (await fetch(`${url}${path}`)).text();
const readManifest = async (url: string): Promise<unknown> => (await fetch(`${url}/manifest.webmanifest`)).json();

test('[OPS-07] owners change settings, staff read them, customers neither', async () => {
  const customer = await logInAs('alice');
  const { name } = await readSection('identity');
  assert.equal(name, demoSettings.identity.name);
  assert.equal((await shop.api('GET', '/shop/settings', { token: customer })).status, 403);
  for (const token of [staff, customer]) {
    for (const section of ['identity', 'legal', 'orders', 'time', 'mail', 'announcement', 'prices'] as const) {
      assert.equal((await change(section, {}, token)).status, 403, section);
    }
  }
  assert.equal((await change('legal', { company: 'Bits Ltd' })).status, 200);
  assert.equal((await readSection('legal'))['company'], 'Bits Ltd');
});

test('[OPS-07] of two owners who edit one section the second gets 409', async () => {
  const read = await readSection('legal');
  const put = (tax_number: string) =>
    shop.api('PUT', '/shop/settings/legal', { token: owner, body: { ...read, tax_number } });
  const responses = await Promise.all([put('GB 1'), put('GB 2')]);
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  const refused = responses.find(({ status }) => status === 409);
  assert.equal(textAt(refused?.body, 'error', 'code'), 'changed-meanwhile');
  const stored = responses.find(({ status }) => status === 200);
  assert.deepEqual(await readSection('legal'), stored?.body);
  // Another section has its own version.
  assert.equal((await change('mail', { sender_name: 'Bits' })).status, 200);
});

test('[OPS-07] several sections are saved together, or none of them', async () => {
  const [legal, mail] = [await readSection('legal'), await readSection('mail')];
  const save = (body: object) => shop.api('PUT', '/shop/settings', { token: owner, body });
  const company = 'Together Ltd';
  const outdated = { ...mail, sender_name: 'Lost', version: Number(mail['version']) - 1 };
  const refused = await save({ legal: { ...legal, company }, mail: outdated });
  assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [409, 'changed-meanwhile']);
  assert.deepEqual(
    listAt(refused.body, 'error', 'conflict', 'fields').map((one) => textAt(one, 'path')),
    ['sender_name'],
  );
  const invalid = await save({ legal: { ...legal, company, contact_email: 'nobody' }, mail });
  assert.deepEqual([invalid.status, keysAt(invalid.body, 'error', 'fields')], [400, ['legal.contact_email']]);
  assert.equal((await save({})).status, 400);
  assert.equal((await shop.api('PUT', '/shop/settings', { token: staff, body: { legal } })).status, 403);
  assert.deepEqual([await readSection('legal'), await readSection('mail')], [legal, mail], 'nothing was stored');

  const saved = await save({ legal: { ...legal, company }, mail: { ...mail, sender_name: 'Together' } });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual(
    [textAt(saved.body, 'legal', 'company'), numberAt(saved.body, 'mail', 'version')],
    [company, Number(mail['version']) + 1],
  );
  const { body } = await shop.api('GET', '/support/audit?kind=settings', { token: owner });
  assert.deepEqual(
    listAt(body, 'entries')
      .slice(0, 2)
      .map((one) => textAt(one, 'subject', 'id'))
      .toSorted(),
    ['legal', 'mail'],
  );
});

test('[OPS-07] a value that cannot be shown is refused with its field', async () => {
  const refused: readonly (readonly [Section, string, unknown])[] = [
    ['identity', 'name', 'x'.repeat(61)],
    ['identity', 'name', 'two\nlines'],
    ['identity', 'address', 'a\u0000b'],
    ['identity', 'address', '\ud800'],
    ['identity', 'logo_path', 'https://elsewhere.example/logo.png'],
    ['identity', 'favicon_path', '//elsewhere.example/icon.png'],
    ['legal', 'contact_email', 'Help <help@shop.example>'],
    ['legal', 'contact_phone', 'call me'],
    ['orders', 'order_prefix', 'cm-'],
    ['orders', 'order_prefix', 'ELEVENCHARS'],
    ['mail', 'support_email', 'a@b.example,c@d.example'],
    ['mail', 'mail_footer', 'x'.repeat(501)],
    ['mail', 'sender_name', 'Shop\r\nBcc: a@b.example'],
    ['time', 'time_zone', 'Mars/Phobos'],
    ['time', 'time_zone', '+01:00'],
    ['announcement', 'announcement_link', 'vbscript:alert(1)'],
    ['announcement', 'announcement_link', '//elsewhere.example'],
    ['announcement', 'announcement_is_on', 'yes'],
  ];
  for (const [section, field, value] of refused) {
    const unchanged = await readSection(section);
    const { body, status } = await change(section, { [field]: value });
    assert.equal(status, 400, `${field}: ${JSON.stringify(value)}`);
    assert.ok(textAt(body, 'error', 'fields', field).length > 5, JSON.stringify(body));
    assert.deepEqual(await readSection(section), unchanged);
  }
  const { body } = await change('announcement', { announcement_text: '', announcement_is_on: true });
  assert.match(textAt(body, 'error', 'fields', 'announcement_text'), /is required/);
});

test('[OPS-07] an order is found by its former prefixes after a change', async () => {
  const { number } = await createOrder(shop, 'prefix-buyer');
  const digits = number.slice(demoSettings.orders.order_prefix.length);
  for (const order_prefix of ['NB-', '26', '']) assert.equal((await change('orders', { order_prefix })).status, 200);
  for (const q of [number, number.toLowerCase(), `nb-${digits}`, `26${digits}`, digits]) {
    const { body } = await shop.api('GET', `/support/orders?q=${encodeURIComponent(q)}`, { token: staff });
    assert.deepEqual(
      listAt(body, 'orders').map((one) => textAt(one, 'number')),
      [digits],
      q,
    );
  }
  assert.equal((await change('orders', { order_prefix: demoSettings.orders.order_prefix })).status, 200);
});

test('[OPS-07] after 50 prefixes only known ones are accepted', async () => {
  let last = 200;
  let changes = 0;
  for (; changes < 60 && last === 200; changes += 1) {
    last = (await change('orders', { order_prefix: `P${changes}-` })).status;
  }
  assert.equal(last, 409);
  assert.ok(changes > 40, `${changes} changes`);
  for (const order_prefix of ['P1-', '', 'P2-', demoSettings.orders.order_prefix]) {
    assert.equal((await change('orders', { order_prefix })).status, 200, order_prefix);
  }
});

test('[OPS-07] an announcement is above the header while it is on', async () => {
  const announcement_text = 'Closed on <Monday> & Tuesday';
  const shown = 'Closed on &lt;Monday&gt; &amp; Tuesday';
  assert.equal((await change('announcement', { announcement_text, announcement_link: '/contact' })).status, 200);
  assert.ok(!(await readPage('/')).includes(shown));
  assert.equal((await change('announcement', { announcement_is_on: true })).status, 200);
  const page = await readPage('/');
  assert.ok(page.indexOf(shown) > 0 && page.indexOf(shown) < page.indexOf('<header'), 'above the header');
  assert.match(page, /<aside[^>]*aria-label="Announcement"><p><a href="\/contact"[^>]*>Closed on/);
  assert.equal((await change('announcement', { announcement_is_on: false })).status, 200);
  assert.ok(!(await readPage('/')).includes(shown));
});

test('[OPS-07] staff see the state of every part', async () => {
  // The copied data contain overdue jobs of a stopped shop, which are no failure.
  const { body } = await shop.api('GET', '/support/health', { token: staff });
  assert.deepEqual(
    listAt(body, 'parts').map((part) => [textAt(part, 'name'), valueAt(part, 'is_ok')]),
    ['database', 'disk', 'chain', 'rate', 'mail', 'jobs'].map((name) => [name, true]),
  );
});

test('[OPS-07] a rename shows in page, manifest and mail of another process', async () => {
  const other = await startSecondProcess(shop);
  try {
    const { name } = demoSettings.identity;
    assert.ok((await readPage('/contact', other.url)).includes(`Contact Us · ${name}`));
    assert.equal(textAt(await readManifest(other.url), 'name'), name);
    const renamed = 'Nordic Bits';
    assert.equal((await change('legal', { footer_note: '' })).status, 200);
    assert.equal((await change('identity', { name: renamed })).status, 200);
    const changedAt = performance.now();
    assert.ok((await readPage('/contact')).includes(`Contact Us · ${renamed}`), 'its own process shows it at once');
    await waitUntil(async () => (await readPage('/contact', other.url)).includes(`Contact Us · ${renamed}`));
    const took = performance.now() - changedAt;
    assert.ok(took < 10_000, `${Math.round(took)} ms`);
    const page = await readPage('/contact', other.url);
    const left = page.indexOf(name);
    assert.equal(left, -1, page.slice(left - 100, left + 100));
    assert.equal(textAt(await readManifest(other.url), 'name'), renamed);
    await shop.api('POST', '/users/register', {
      body: { username: 'rename-reader', email: 'rename@reader.example', password: 'a long enough password' },
    });
    const readMails = async () => (await shop.api('GET', '/dev/mail?to=rename@reader.example')).body;
    await waitUntil(async () => JSON.stringify(await readMails()).includes('rename@reader.example'));
    const mail = JSON.stringify(await readMails());
    assert.ok(mail.includes(renamed) && !mail.includes(name), mail);
    // A restart keeps the owner's settings: the seed fills unedited sections only.
    await shop.restart();
    assert.ok((await readPage('/contact')).includes(renamed));
    assert.ok(numberAt(await readSection('identity'), 'version') >= 2);
  } finally {
    await other.stop();
  }
});
