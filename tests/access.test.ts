/**
 * Access matrix: every API call by nine callers, of all roles, with ids that are own, foreign, missing and
 * malformed.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shopApi } from '#src/shop/api.ts';
import { demoToolsApi } from '#src/shop/demo/contract.ts';
import { listScopes } from '#src/shop/api-keys/scope.ts';
import './support/built-pages.ts';
import { isDecided, SCOPED_CALLS } from './support/access-api-keys.ts';
import { createApiKey, getOwnerToken } from './support/api-key.ts';
import { readOwnData, callAs, makeCallers, NOBODY } from './support/access-callers.ts';
import type { Caller } from './support/access-callers.ts';
import { accessTable } from './support/access-table.ts';
import type { Row, Statuses } from './support/access-rows.ts';
import { sendRawRequest, createJsonRequest } from './support/raw-call.ts';
import type { RawResponse } from './support/raw-call.ts';
import { textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const contractKeys = Object.keys({ ...shopApi, ...demoToolsApi });

/** The response without headers that differ between two requests. */
function toComparable({ status, headers, text }: RawResponse): unknown {
  const stable = Object.entries(headers).filter(([header]) => header !== 'x-request-id' && header !== 'date');
  return { status, text, headers: Object.fromEntries(stable) };
}

function assertHoldsNothingOf(strangers: readonly Caller[], response: RawResponse, where: string): void {
  const whole = `${response.text}\n${JSON.stringify(response.headers)}`;
  for (const { name, marks } of strangers) {
    for (const mark of marks) assert.ok(!whole.includes(mark), `${where} contains ${mark} of ${name}`);
  }
}

function selectStatus(statuses: Statuses, { kind, role }: Caller): number {
  if (kind !== 'staff') return statuses[kind];
  const own = role === null || role === 'manager' ? undefined : statuses[role];
  return own ?? statuses.staff ?? statuses.user;
}

/** Whether the response may contain data of all users. */
function isReachingAll(row: Row, caller: Caller): boolean {
  if (caller.kind !== 'staff') return false;
  if ('ask' in row) return row.isOfStaff === true && selectStatus(row.statuses, caller) !== 403;
  return row.staffReach !== undefined && caller.role !== 'shipping';
}

async function walk(key: string, row: Row, callers: readonly Caller[]): Promise<void> {
  for (const caller of callers) {
    const where = `${key} by ${caller.name}`;
    const strangers = callers.filter((one) => one !== caller);
    const isReaching = isReachingAll(row, caller);
    const callAndCheck = async (
      what: string,
      asked: Parameters<typeof callAs>[3],
      status: number,
    ): Promise<RawResponse> => {
      const response = await callAs(shop, caller, key, asked);
      assert.equal(response.status, status, `${where}, ${what}: ${response.text.slice(0, 300)}`);
      if (!isReaching) assertHoldsNothingOf(strangers, response, where);
      return response;
    };
    if ('ask' in row) {
      await callAndCheck('the call', row.ask(caller), selectStatus(row.statuses, caller));
      continue;
    }
    const missing = await callAndCheck('missing', row.name(row.missing), selectStatus(row.others, caller));
    for (const id of row.malformed)
      await callAndCheck(`malformed ${id}`, row.name(id), selectStatus(row.malformedStatuses, caller));
    if (!row.othersAreOpen) {
      for (const owner of strangers.filter((one) => row.ownOf(one) !== '')) {
        const untouched = await readOwnData(shop, owner);
        if (isReaching) {
          await callAndCheck(`${owner.name}'s`, row.name(row.ownOf(owner)), row.staffReach ?? 0);
          continue;
        }
        const response = await callAndCheck(
          `${owner.name}'s`,
          row.name(row.ownOf(owner)),
          selectStatus(row.others, caller),
        );
        assert.deepEqual(
          toComparable(response),
          toComparable(missing),
          `${where}: the response for ${owner.name}'s id differs from that for a missing one`,
        );
        assert.equal(await readOwnData(shop, owner), untouched, `${where} changed data of ${owner.name}`);
      }
    }
    await callAndCheck('its own', row.name(row.ownOf(caller)), selectStatus(row.own, caller));
  }
}

test('[API-00] permits or refuses each call by caller, owner and id', async () => {
  const { callers, unused } = await makeCallers(shop);
  const table = accessTable(unused);
  assert.deepEqual(Object.keys(table).toSorted(), contractKeys.toSorted(), 'every call has a row');
  for (const [key, row] of Object.entries(table)) await walk(key, row, callers);
});

test('[OPS-19] an API key makes the calls of its scopes only', async () => {
  const owner = await getOwnerToken(shop);
  const [full, narrow] = await Promise.all([
    createApiKey(shop, owner, listScopes()),
    createApiKey(shop, owner, ['webhooks:read']),
  ]);
  const table: Readonly<Record<string, Row>> = accessTable('unused');
  const call = async (key: string, row: Row | undefined, token: string) => {
    const [method = '', template = ''] = key.split(' ');
    const asked = row && ('ask' in row ? row.ask(NOBODY) : row.name(row.missing));
    const raw = createJsonRequest(method, `${asked?.path ?? template}${asked?.query ?? ''}`, asked?.body, token);
    const { status, text } = await sendRawRequest(shop.url, raw);
    return { status, isMissingScope: text.includes('missing-scope'), text: text.slice(0, 200) };
  };
  for (const key of contractKeys) {
    const row = table[key];
    const isStaff = row !== undefined && 'ask' in row && row.isOfStaff === true;
    if (isStaff) assert.ok(isDecided(key), `${key}: give it a scope, or a reason in access-api-keys.ts`);
    const withScope = await call(key, row, full.key);
    if (SCOPED_CALLS.has(key)) assert.ok(![401, 403].includes(withScope.status), `${key}: ${withScope.text}`);
    else assert.deepEqual([withScope.status, withScope.isMissingScope], [403, true], `${key}: ${withScope.text}`);
    if (key.includes('/webhooks') || key.includes('/webhook-')) continue;
    const without = await call(key, row, narrow.key);
    assert.deepEqual([without.status, without.isMissingScope], [403, true], `${key}: ${without.text}`);
  }
  for (const key of SCOPED_CALLS) assert.ok(contractKeys.includes(key), `${key} is no call`);
});

async function signIn(headers: Readonly<Record<string, string>> = {}): Promise<{ token: string; cookie: string }> {
  const login = createJsonRequest('POST', '/users/login', { username: 'alice', password: 'crypto-market' });
  const response = await sendRawRequest(shop.url, { ...login, headers: { ...login.headers, ...headers } });
  assert.equal(response.status, 200, response.text);
  const body: unknown = JSON.parse(response.text);
  const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { token: textAt(body, 'tokens', 'accessToken'), cookie };
}
const BROWSER = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
const readMe = async (headers: Readonly<Record<string, string>>, path = '/api/users/user'): Promise<number> =>
  (await sendRawRequest(shop.url, { method: 'GET', path, headers })).status;

test('[API-00] refuses a bad token on public calls too', async () => {
  for (const [key, endpoint] of Object.entries({ ...shopApi, ...demoToolsApi })) {
    const [method = '', path = ''] = key.split(' ');
    if (key === 'POST /users/logout') continue;
    for (const authorization of ['Bearer nonsense', 'Bearer', 'Basic YWxpY2U6eA==', `Bearer ${'x'.repeat(2000)}`]) {
      const body = 'body' in endpoint ? '{}' : undefined;
      const headers = { authorization, ...(body ? { 'content-type': 'application/json' } : {}) };
      const response = await sendRawRequest(shop.url, { method, path: `/api${path}`, headers, body });
      assert.equal(response.status, 401, `${key} with ${authorization.slice(0, 20)}`);
    }
  }
});

test('[API-00] refuses a browser’s token without its cookie, and the cookie alone', async () => {
  const { token, cookie } = await signIn(BROWSER);
  assert.match(cookie, /^session=/);
  const authorization = `Bearer ${token}`;
  assert.equal(await readMe({ authorization, cookie }), 200);
  assert.equal(await readMe({ authorization }), 401);
  assert.equal(await readMe({ authorization, cookie: 'session=stolen' }), 401);
  assert.equal(await readMe({ cookie }), 401);
  assert.equal(await readMe({ authorization }, '/api/faq'), 401);
  const plain = await signIn();
  assert.equal(plain.cookie, '');
  assert.equal(await readMe({ authorization: `Bearer ${plain.token}` }), 200);
  const swapped = await signIn(BROWSER);
  assert.equal(await readMe({ authorization, cookie: swapped.cookie }), 401);
});

test('[API-00] refuses writes with a cookie from another origin', async () => {
  const { token, cookie } = await signIn(BROWSER);
  const product = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  const add = createJsonRequest('POST', '/cart/add', { product_id: product, quantity: 1 }, token);
  const own = shop.url;
  const cases: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [{}, 200],
    [{ origin: own, 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: own.replace('127.0.0.1', 'localhost') }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: `${own}.evil.example` }, 403],
    [{ origin: own.replace(/\d+$/, '1') }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: own, 'sec-fetch-site': 'cross-site' }, 403],
  ];
  for (const [headers, status] of cases) {
    const response = await sendRawRequest(shop.url, { ...add, headers: { ...add.headers, cookie, ...headers } });
    assert.equal(response.status, status, `${JSON.stringify(headers)}: ${response.text}`);
  }
  const logout = { method: 'POST', path: '/api/users/logout', headers: { cookie, origin: 'https://evil.example' } };
  assert.equal((await sendRawRequest(shop.url, logout)).status, 403);
  assert.equal(await readMe({ authorization: `Bearer ${token}`, cookie }), 200);
});

test('[API-00] refuses every write from another origin, also without a cookie', async () => {
  const writes = contractKeys.filter((key) => !key.startsWith('GET '));
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
  const wrong: string[] = [];
  for (const key of writes) {
    const [method = '', path = ''] = key.split(' ');
    const request = { method, path: `/api${path.replaceAll(/\{\w+\}/g, 'x')}`, headers };
    const { status, text } = await sendRawRequest(shop.url, request);
    if (status !== 403 || !text.includes('"foreign-origin"')) wrong.push(`${key}: ${status}`);
  }
  assert.deepEqual([writes.length > 100, wrong], [true, []]);
});

test('[API-00] returns 429 with Retry-After above a rate limit', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const statuses = new Set<number>();
    let refused: RawResponse | null = null;
    // More calls than the strictest open limit allows per minute.
    for (let tries = 0; tries < 200 && !refused; tries += 1) {
      const response = await sendRawRequest(
        limited.url,
        createJsonRequest('POST', '/users/register', { username: '' }),
      );
      // An overloaded machine refuses some calls for another reason.
      if (response.status !== 503) statuses.add(response.status);
      if (response.status === 429) refused = response;
    }
    assert.deepEqual([...statuses], [400, 429]);
    assert.match(refused?.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    const body: unknown = JSON.parse(refused?.text ?? '');
    assert.equal(textAt(body, 'error', 'code'), 'too-often');
    assert.equal(valueAt(body, 'message'), 'error');
    const other = await sendRawRequest(limited.url, createJsonRequest('GET', '/faq'));
    assert.ok([200, 503].includes(other.status), `${other.status}: other calls are not limited`);
  } finally {
    await limited.stop();
  }
});
