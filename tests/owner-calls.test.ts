/** Calls for owners only, over HTTP: roles, settings, exports. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOrder } from './support/new-order.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let shop: TestShop;
let owner: string;
let staff: string;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info', SMTP_URL: 'smtp://mailer:hidden-canary@127.0.0.1:1' } });
  owner = await logInAs('owner');
  staff = await logInAs('staff');
});
after(() => shop.stop());

async function logInAs(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}
const register = (username: string) =>
  shop.api('POST', '/users/register', {
    body: { username, email: `${username}@owner.example`, password: 'crypto-market' },
  });
const setRole = (username: string, role: string, token = owner) =>
  shop.api('PUT', '/staff/role', { token, body: { username, role }, password: null });
const listRoles = ({ body }: ApiResponse): string[] =>
  listAt(body, 'staff').map((one) => `${textAt(one, 'username')} ${textAt(one, 'role')}`);
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

test('[OPS-01] an owner changes roles, with immediate effect', async () => {
  await register('clerk');
  const clerk = await logInAs('clerk');
  assert.equal((await shop.api('GET', '/support/orders', { token: clerk })).status, 403);
  assert.deepEqual(listRoles(await setRole('clerk', 'support')), ['owner owner', 'staff manager', 'clerk support']);
  const promoted = await logInAs('clerk');
  assert.equal((await shop.api('GET', '/support/orders', { token: promoted })).status, 200);
  assert.deepEqual(listRoles(await setRole('CLERK', 'customer')), ['owner owner', 'staff manager']);
  assert.equal((await shop.api('GET', '/support/orders', { token: promoted })).status, 401, 'the session has ended');
  assert.equal(readErrorCode(await setRole('nobody-here', 'manager')), '404 not-found');
  assert.equal(readErrorCode(await setRole('clerk', 'staff')), '400 invalid');
});

test('[OPS-01] a role changes only from the one that was seen, if one is named', async () => {
  await register('seen');
  const change = (role: string, seen: string) =>
    shop.api('PUT', '/staff/role', { token: owner, body: { username: 'seen', role, seen_role: seen } });
  assert.equal((await change('support', 'customer')).status, 200);
  assert.equal((await setRole('seen', 'owner')).status, 200);
  assert.equal(readErrorCode(await change('manager', 'support')), '409 other-role');
  assert.ok(listRoles(await shop.api('GET', '/staff', { token: owner })).includes('seen owner'));
  assert.equal((await change('customer', 'owner')).status, 200);
});

test('[OPS-01] staff cannot use the calls of owners', async () => {
  assert.equal(readErrorCode(await setRole('staff', 'owner', staff)), '403 forbidden');
  for (const path of ['/staff', '/settings', '/exports/books']) {
    assert.equal(readErrorCode(await shop.api('GET', path, { token: staff })), '403 forbidden', path);
  }
});

test('[OPS-01] the last owner keeps the role, also in concurrent changes', async () => {
  assert.equal(readErrorCode(await setRole('owner', 'manager')), '409 last-owner');
  await register('partner');
  for (let round = 0; round < 5; round += 1) {
    assert.equal((await setRole('partner', 'owner')).status, 200);
    const partner = await logInAs('partner');
    const responses = await Promise.all([setRole('owner', 'manager', partner), setRole('partner', 'manager', owner)]);
    const owners = listRoles(await shop.api('GET', '/staff', { token: responses[0].status === 200 ? partner : owner }));
    assert.equal(owners.filter((one) => one.endsWith(' owner')).length, 1, owners.join());
    if (responses[0].status !== 200) continue;
    assert.equal((await setRole('owner', 'owner', partner)).status, 200);
    owner = await logInAs('owner');
  }
});

/** Calls that move data out of the shop or change how it works. Their bodies need not be valid. */
const SENSITIVE: readonly (readonly ['GET' | 'POST' | 'PUT' | 'DELETE', string])[] = [
  ['PUT', '/staff/role'],
  ['PUT', '/shop/settings/identity'],
  ['PUT', '/shop/settings/legal'],
  ['PUT', '/shop/settings/orders'],
  ['PUT', '/shop/settings/mail'],
  ['PUT', '/shop/settings/announcement'],
  ['PUT', '/shop/settings/prices'],
  ['PUT', '/shop/settings/consumers'],
  ['PUT', '/shop/settings/retention'],
  ['PUT', '/tax/settings'],
  ['PUT', '/tax/national-currency'],
  ['PUT', '/shipping/settings'],
  ['PUT', '/support/paid-order-mails'],
  ['POST', '/content/legal/terms/publish'],
  ['POST', '/carriers'],
  ['PUT', `/carriers/${NOBODY}`],
  ['DELETE', `/carriers/${NOBODY}`],
  ['GET', '/exports/books'],
  ['GET', '/exports/invoices'],
  ['GET', '/exports/orders'],
  ['GET', '/exports/serial-numbers'],
  ['GET', '/exports/audit'],
  ['GET', '/exports/sales'],
  ['GET', '/exports/products'],
  ['POST', '/webhooks'],
  ['PUT', `/webhooks/${NOBODY}`],
  ['POST', `/webhooks/${NOBODY}/rotate-secret`],
  ['POST', '/api-keys'],
];

test('[OPS-17] settings, roles, exports and webhooks require a recent password', async () => {
  await shop.api('POST', '/dev/clock', { body: { offset_s: 15 * 60 + 5 } });
  try {
    for (const [method, path] of SENSITIVE) {
      const request = { token: owner, password: null, ...(method === 'GET' ? {} : { body: {} }) };
      assert.equal(readErrorCode(await shop.api(method, path, request)), '401 reauth', `${method} ${path}`);
    }
    assert.equal((await shop.api('GET', '/settings', { token: owner, password: null })).status, 200);
    await shop.api('POST', '/users/reauthenticate', { token: owner, body: { password: 'crypto-market' } });
    assert.equal((await shop.api('GET', '/exports/books', { token: owner, password: null })).status, 200);
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
});

test('[OPS-26] the accounting export is named by its days', async () => {
  const names = {
    '': 'books.csv',
    '?from=2026-11-01&to=2026-11-30': 'books-2026-11.csv',
    '?from=2026-11-03&to=2026-11-03': 'books-2026-11-03.csv',
    '?from=2026-11-03': 'books-from-2026-11-03.csv',
    '?to=2026-11-03': 'books-to-2026-11-03.csv',
  };
  for (const [query, name] of Object.entries(names)) {
    const { body } = await shop.api('GET', `/exports/books${query}`, { token: owner });
    assert.equal(textAt(body, 'filename'), name);
  }
});

test('[OPS-26] a change of role is logged with actor and account', async () => {
  const response = await setRole('staff', 'manager');
  const id = response.headers.get('x-request-id') ?? '-';
  const findLine = (): string | undefined =>
    shop
      .readOutput()
      .split('\n')
      .find((one) => one.includes('"role_changed"') && one.includes(id));
  await waitUntil(async () => findLine() !== undefined);
  assert.match(findLine() ?? '', /"user_id":"[\da-f-]{36}".*"target_id":"[\da-f-]{36}"/);
});

test('[OPS-26] an owner reads the settings in force without secrets', async () => {
  const { body } = await shop.api('GET', '/settings', { token: owner });
  const settings = new Map(
    listAt(body, 'settings').map((one) => [textAt(one, 'name'), valueAt(one, 'value')] as const),
  );
  assert.equal(settings.get('SHOP_MODE'), 'demo');
  assert.equal(settings.get('PAYMENT_WINDOW_S'), '7200');
  assert.equal(settings.get('SMTP_URL'), 'smtp://…@127.0.0.1:1');
  assert.equal(settings.get('DATABASE_URL'), null);
  assert.ok(!JSON.stringify(body).includes('hidden-canary'));
});

test('[OPS-26] the accounting export is the CSV of the chosen days', async () => {
  const { id, number } = await createOrder(shop, 'export-buyer');
  assert.equal((await shop.api('POST', '/dev/pay', { body: { order_id: id } })).status, 200);
  const exportCsv = async (query: string): Promise<string> => {
    const { body, status } = await shop.api('GET', `/exports/books${query}`, { token: owner });
    assert.equal(status, 200, JSON.stringify(body));
    return textAt(body, 'csv');
  };
  assert.ok((await exportCsv('')).includes(number));
  const day = new Date().toISOString().slice(0, 10);
  assert.ok((await exportCsv(`?from=${day}`)).includes(number));
  assert.ok(!(await exportCsv('?to=2020-01-01')).includes(number));
  for (const bad of ['from=yesterday', 'from=2026-13-01', 'to=2026-02-30x']) {
    assert.equal((await shop.api('GET', `/exports/books?${bad}`, { token: owner })).status, 400, bad);
  }
});
