/** What a CDN or another shared cache in front of the shop stores, and that it mixes up no visitors. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { ABSENT_ID, makeCallers } from './support/access-callers.ts';
import type { Caller } from './support/access-callers.ts';
import { accessTable } from './support/access-table.ts';
import { sendRawRequest } from './support/raw-call.ts';
import type { RawRequest, RawResponse } from './support/raw-call.ts';
import { numberAt, textAt } from './support/read-json.ts';
import { isStorable, SharedCache } from './support/shared-cache.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const PRODUCT = '/catalog/product/iphone-17-pro';
/** Pages and calls that show data of all visitors: by a secret link, or in demo mode only. */
const OPEN_TO_ALL = /^\/(?:pay|dev|api\/dev|api\/pay)\b/;
/** Other spellings of private pages. A cache may store by extension, or treat escapes and dots in its own way. */
const SPELLINGS = [
  '/Dashboard',
  '/%64ashboard',
  '/dashboard/',
  '//dashboard',
  '/./dashboard',
  '/catalog/../dashboard',
  '/catalog/%2e%2e/dashboard',
  '/catalog/../dashboard.data',
  '/catalog/../cart',
  '/dashboard/style.css',
  '/dashboard;style.css',
  '/dashboard.css',
  '/dashboard/settings/icon.png',
  '/cart/script.js',
  '/dashboard/_.data',
  '/catalog.data?_routes=orders/dashboard',
  '/_.data?_routes=accounts/settings',
  '/api/cart?x=style.css',
  '/api/users/user?x=style.css',
];

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const send = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawResponse> =>
  sendRawRequest(shop.url, { method, path, headers });

/** Signs in like a browser: with a session cookie beside the token. */
async function openBrowser(caller: Caller): Promise<Caller> {
  if (caller.userId === '') return caller;
  const response = await shop.api('POST', '/users/login', {
    body: caller.account,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const token = textAt(response.body, 'tokens', 'accessToken');
  return { ...caller, headers: { authorization: `Bearer ${token}`, cookie }, marks: [...caller.marks, token] };
}

/** One without a cart, a guest, two customers and an owner. */
const isVisitor = ({ name, role }: Caller): boolean => name !== 'guest B' && (role === null || role === 'owner');

/** Ids of these visitors for a page that shows one of them. */
function listIds(pattern: string, owners: readonly Caller[]): readonly string[] {
  if (pattern.includes('orders/:id')) return owners.map(({ order }) => order);
  if (pattern.includes('tickets/:id')) return owners.map(({ ticket }) => ticket);
  return pattern.includes('customers/:id') ? owners.map(({ userId }) => userId) : [ABSENT_ID];
}

/** Every page and its data, with ids of these visitors. */
function listPages(owners: readonly Caller[], payPaths: readonly string[]): string[] {
  const patterns = [...readFileSync('src/routes.ts', 'utf8').matchAll(/page\('([^'*]+)'/g)].map(
    ([, path = '']) => path,
  );
  const paths = patterns.flatMap((pattern) => {
    const filled = `/${pattern}`
      .replace('category/:slug', 'category/iphone')
      .replace('product/:slug', 'product/iphone-17-pro')
      .replace(':token', 'x'.repeat(43));
    return filled.includes(':id') ? listIds(pattern, owners).map((id) => filled.replace(':id', id)) : [filled];
  });
  assert.ok(paths.length > 70, `only ${paths.length} pages were read`);
  const all = [...paths, ...payPaths, '/nowhere'];
  return ['/', '/_.data', ...all, ...all.map((path) => `${path}.data`), ...SPELLINGS];
}

/** Every GET of the API as this caller sends it. */
function listCalls(caller: Caller, unused: string): string[] {
  return Object.entries(accessTable(unused))
    .filter(([key]) => key.startsWith('GET '))
    .map(([key, row]) => {
      const asked = 'ask' in row ? row.ask(caller) : row.name(row.ownOf(caller) || row.missing);
      return `/api${asked.path ?? key.slice('GET '.length)}${asked.query ?? ''}`;
    });
}

test('[OPS-23] a shared cache gives no visitor what belongs to another', async () => {
  const { callers, unused } = await makeCallers(shop);
  const visitors = await Promise.all(callers.filter(isVisitor).map(openBrowser));
  const owners = visitors.filter(({ kind }) => kind === 'user');
  const payPaths = await Promise.all(
    owners.map(async ({ order, headers }) =>
      textAt((await shop.api('GET', `/orders/${order}/timeline`, { headers })).body, 'pay_path'),
    ),
  );
  const paths = new Set([...listPages(owners, payPaths), ...visitors.flatMap((one) => listCalls(one, unused))]);
  const cache = new SharedCache(shop.url);
  const uses = { hit: 0, revalidated: 0, missed: 0, 'not-stored': 0 };
  let owned = 0;
  for (const path of paths) {
    for (const visitor of visitors) {
      const where = `${path} for ${visitor.name}`;
      const response = await cache.send({ method: 'GET', path, headers: visitor.headers });
      uses[response.use] += 1;
      const whole = `${response.text}\n${JSON.stringify(response.headers)}`;
      const isMarked = ({ marks }: Caller): boolean =>
        marks.some((mark) => !path.includes(mark) && whole.includes(mark));
      if (isMarked(visitor)) owned += 1;
      if (response.use !== 'not-stored') {
        assert.equal(response.headers['set-cookie'], undefined, where);
        assert.ok(!isMarked(visitor) || OPEN_TO_ALL.test(path), `${where} is stored and contains personal data`);
      }
      if (response.use === 'hit' || response.use === 'revalidated') {
        const own = await send(path, visitor.headers);
        const isSame = response.status === own.status && response.text === own.text;
        assert.ok(isSame, `${where} comes from the cache and differs from the response of the shop`);
      }
      const isPermitted = visitor.kind === 'staff' || OPEN_TO_ALL.test(path);
      const strangers = visitors.filter((one) => one !== visitor && !isPermitted && isMarked(one));
      assert.deepEqual(
        strangers.map(({ name }) => name),
        [],
        `${where} contains data of others`,
      );
    }
  }
  assert.ok(owned > 50, `only ${owned} responses contained data of their visitor`);
  assert.ok(uses.revalidated > 100 && uses['not-stored'] > 500, JSON.stringify(uses));
});

/** The headers that decide about caching, of kinds of responses. Documented in docs/scaling.md. */
test('[OPS-23] the manual lists what shared caches may store', async () => {
  const home = (await send('/')).text;
  const find = (pattern: RegExp): string =>
    pattern.exec(home)?.[0] ?? assert.fail(`the home page lacks ${pattern.source}`);
  const login = { username: 'alice', password: 'crypto-market' };
  const { body } = await shop.api('POST', '/users/login', { body: login });
  const authorization = `Bearer ${textAt(body, 'tokens', 'accessToken')}`;
  const kinds: readonly (readonly [string, string, Readonly<Record<string, string>>?])[] = [
    ['public pages, also with a session', PRODUCT],
    ['their data, `….data`', '/catalog.data'],
    ['missing pages', '/nowhere'],
    ['`/assets/…`', find(/\/assets\/[\w.-]+\.js/)],
    ['missing assets', '/assets/none.js'],
    ['`/api/images/…`', find(/\/api\/images\/[^"\s?]+/)],
    ['`/favicon.ico`, other files of `public/`', '/favicon.ico'],
    ['`/robots.txt`, `/sitemap.xml`', '/sitemap.xml'],
    ['`/manifest.webmanifest`', '/manifest.webmanifest'],
    ['`/products.xml`', '/products.xml'],
    ['public calls, such as `GET /api/products`', '/api/products'],
    ['the same with a token', '/api/products', { authorization }],
    ['all other calls', '/api/cart'],
    ['`/api/openapi.json`, `/api/docs`', '/api/openapi.json'],
    ['`/cart`, `/dashboard`, `/admin`, `/login`, `/pay/…` and other private pages', '/login'],
    ['`/healthz`, `/readyz`', '/healthz'],
  ];
  const rows = await Promise.all(
    kinds.map(async ([kind, path, headers]) => {
      const response = await send(path, { 'accept-encoding': 'br, gzip', ...headers });
      const request: RawRequest = { method: 'GET', path, ...(headers && { headers }) };
      const { etag, vary, 'last-modified': modified } = response.headers;
      assert.ok(response.headers['set-cookie'] === undefined, path);
      const validator = etag === undefined ? (modified ?? '–') : 'ETag';
      const may = isStorable(request, response) ? 'yes' : 'no';
      return `| ${kind} | \`${response.headers['cache-control'] ?? '–'}\` | ${validator} | ${vary ?? '–'} | ${may} |`;
    }),
  );
  const table = rows.join('\n');
  assert.ok(
    readFileSync('docs/scaling.md', 'utf8').includes(`\n${table}\n`),
    `docs/scaling.md lacks this table:\n${table}`,
  );
});

test('[OPS-23] a shared cache sends each encoding to those who accept it', async () => {
  const cache = new SharedCache(shop.url);
  const home = (await send('/')).text;
  const asset = /\/assets\/[\w.-]+\.js/.exec(home)?.[0] ?? assert.fail('the home page has no script');
  for (const path of ['/', PRODUCT, '/catalog.data', asset, '/api/products', '/products.xml']) {
    for (const accepted of ['br', 'identity', 'gzip', 'br', 'identity']) {
      const response = await cache.send({ method: 'GET', path, headers: { 'accept-encoding': accepted } });
      assert.equal(response.status, 200, path);
      const encoding = response.headers['content-encoding'] ?? 'identity';
      assert.ok(['identity', accepted].includes(encoding), `${path} in ${encoding} for ${accepted}`);
    }
    const again = await cache.send({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
    assert.equal(again.use, path === asset ? 'hit' : 'revalidated', path);
  }
});

test('[OPS-23] a shared cache shows an edit as soon as the shop does', async () => {
  const cache = new SharedCache(shop.url);
  const { use } = await cache.send({ method: 'GET', path: '/' });
  const { body } = await shop.api('POST', '/users/login', {
    body: { username: 'owner', password: 'crypto-market' },
  });
  const token = textAt(body, 'tokens', 'accessToken');
  assert.equal(use, 'missed');
  assert.equal((await cache.send({ method: 'GET', path: '/' })).use, 'revalidated');
  const settings = (await shop.api('GET', '/shop/settings', { token })).body;
  const announcement = {
    version: numberAt(settings, 'announcement', 'version'),
    announcement_text: 'Closed on Sunday',
    announcement_link: '',
    announcement_is_on: true,
  };
  const changed = await shop.api('PUT', '/shop/settings/announcement', { token, body: announcement });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await waitUntil(async () => (await cache.send({ method: 'GET', path: '/' })).text.includes('Closed on Sunday'));
});
