/** Contact messages over HTTP: by the API call, and by the form without JavaScript. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { keysAt, numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const MESSAGE = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  message: 'Do you deliver to Ockham?',
};

const send = (
  fields: Readonly<Record<string, string>>,
  { url } = shop,
  headers: Readonly<Record<string, string>> = {},
) => fetch(`${url}/contact`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });

test('[PAGE-02] [API-10] returns 201, also with the honeypot filled in', async () => {
  for (const body of [MESSAGE, MESSAGE, { ...MESSAGE, message: 'x'.repeat(4000) }, { ...MESSAGE, website: 'a' }]) {
    const response = await shop.api('POST', '/contact', { body });
    assert.deepEqual([response.status, response.body], [201, { message: 'success' }]);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
});

test('[PAGE-02] [API-10] refuses missing, too long and invalid fields', async () => {
  for (const [field, value] of [
    ['firstName', ' '],
    ['firstName', 'x'.repeat(101)],
    ['lastName', ''],
    ['lastName', 'Lovelace\r\nBcc: everybody@example.com'],
    ['email', 'ada'],
    ['email', 'ada@example'],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['message', '\n'],
    ['message', 'x'.repeat(4001)],
  ] as const) {
    const refused = await shop.api('POST', '/contact', { body: { ...MESSAGE, [field]: value } });
    assert.equal(refused.status, 400, `${field}: ${value.slice(0, 20)}`);
    assert.equal(textAt(refused.body, 'error', 'message'), 'The message was not sent');
    assert.deepEqual(keysAt(refused.body, 'error', 'fields'), [field]);
  }
});

test('[PAGE-02] redirects the form without JavaScript to a confirmation', async () => {
  const sent = await send({ ...MESSAGE, message: 'By a form\r\nof two lines', website: '' });
  assert.equal(sent.status, 303);
  const to = sent.headers.get('location') ?? '';
  assert.equal(to, '/contact?sent');
  assert.match(await (await fetch(shop.url + to)).text(), /Message received/);
  assert.doesNotMatch(await (await fetch(`${shop.url}/contact`)).text(), /Message received/);
});

test('[PAGE-02] returns an invalid form with its values and errors', async () => {
  const refused = await send({ ...MESSAGE, lastName: '', email: 'ada@example', message: 'Kept <b>as it was</b>' });
  assert.equal(refused.status, 400);
  assert.match(refused.headers.get('cache-control') ?? '', /no-store/);
  const html = await refused.text();
  for (const text of [
    'Last Name is required',
    'Please enter a valid email address',
    'value="Ada"',
    'value="ada@example"',
    'Kept &lt;b&gt;as it was&lt;/b&gt;</textarea>',
  ]) {
    assert.ok(html.includes(text), text);
  }
  assert.doesNotMatch(html, /First Name is required/);
  // Contract errors are shown at their fields too.
  assert.match(
    await (await send({ ...MESSAGE, firstName: 'A\u0007da' })).text(),
    /First Name contains characters that/,
  );
  assert.equal((await send({})).status, 400);
});

test('[PAGE-02] refuses cross-site forms', async () => {
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    assert.equal((await send(MESSAGE, shop, headers)).status, 403);
  }
});

test('[PAGE-02] limits messages by call and form with Retry-After', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    for (let number = 1; number <= 5; number += 1) {
      const body = { ...MESSAGE, message: `${number}` };
      const invalid = { ...MESSAGE, message: '' };
      assert.equal((await limited.api('POST', '/contact', { body: invalid })).status, 400);
      assert.equal((await limited.api('POST', '/contact', { body })).status, 201);
      assert.equal(
        (await limited.api('POST', '/contact', { body })).status,
        201,
        'a repeated message is already stored',
      );
    }
    const body = { ...MESSAGE, message: 'one more' };
    const refused = await limited.api('POST', '/contact', { body });
    assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [429, 'too-often']);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    const page = await send(body, limited);
    assert.equal(page.status, 429);
    const html = await page.text();
    assert.match(html, /Too many messages\. Please wait \d+ minutes and try again\./);
    assert.match(html, /one more<\/textarea>/);
  } finally {
    await limited.stop();
  }
});

test('[PAGE-02] includes structured data for search engines', async () => {
  const html = await (await fetch(`${shop.url}/contact`)).text();
  const [, script = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const structuredData: unknown = JSON.parse(script);
  assert.equal(textAt(structuredData, '@type'), 'ContactPage');
  assert.equal(textAt(structuredData, 'mainEntity', 'address'), '45 Elm Street, Kensington, London, UK');
  const sitemap = await (await fetch(`${shop.url}/sitemap.xml`)).text();
  assert.ok(sitemap.includes('/contact</loc>'));
});

test('[PAGE-02] [OPS-04] the honeypot takes no autofill, and staff see what it caught', async () => {
  const html = await (await fetch(`${shop.url}/contact`)).text();
  const [honeypot = ''] = /<input[^>]*name="subject"[^>]*>/.exec(html) ?? [];
  for (const attribute of [
    'readOnly=""',
    'autoComplete="off"',
    'tabindex="-1"',
    'data-lpignore="true"',
    'data-1p-ignore',
  ]) {
    assert.ok(honeypot.toLowerCase().includes(attribute.toLowerCase()), `${attribute} in ${honeypot}`);
  }
  assert.doesNotMatch(html, /name="(?:website|url|company|address|phone)"/);
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'staff', password: 'crypto-market' } });
  const token = textAt(body, 'tokens', 'accessToken');
  const countSpam = async () => numberAt((await shop.api('GET', '/support/contact-messages', { token })).body, 'spam');
  const counted = await countSpam();
  await send({ ...MESSAGE, message: 'Buy links', subject: 'links' });
  await shop.api('POST', '/contact', {
    body: { ...MESSAGE, message: 'Buy more links', website: 'https://spam.example' },
  });
  assert.equal(await countSpam(), counted + 2);
});
