/** What the audit log keeps as evidence of what was done in a role, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createOrder } from './support/new-order.ts';
import { enterPassword, setUpApp } from './support/totp-app.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  owner = await logIn('owner');
});
after(() => shop.stop());

const logIn = async (username: string, password = PASSWORD): Promise<string> =>
  textAt((await enterPassword(shop, username, password)).body, 'tokens', 'accessToken');
const setRole = async (username: string, role: string): Promise<void> => {
  const changed = await shop.api('PUT', '/staff/role', { token: owner, body: { username, role } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
};
const read = async (query: string, token = owner) =>
  listAt((await shop.api('GET', `/support/audit?${query}`, { token })).body, 'entries');

let count = 0;
async function createMember(role = 'manager'): Promise<{ readonly username: string; readonly id: string }> {
  const username = `witness${(count += 1)}`;
  const body = { username, email: `${username}@evidence.example`, password: PASSWORD };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  await setRole(username, role);
  return { username, id: textAt((await enterPassword(shop, username)).body, 'user', 'id') };
}

test('[OPS-06] details stay when the account that acted is erased', async () => {
  const { username, id } = await createMember();
  const token = await logIn(username);
  const { id: orderId } = await createOrder(shop, `evidence-${Date.now()}`);
  const note = await shop.api('POST', `/orders/${orderId}/notes`, { token, body: { text: 'Called the buyer' } });
  assert.equal(note.status, 201, JSON.stringify(note.body));
  await setRole(username, 'customer');
  const erased = await shop.api('DELETE', `/users/${id}`, { token: await logIn(username), body: { username } });
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  const [entry] = await read(`actor=${id}`);
  assert.equal(textAt(entry, 'actor'), username);
  assert.match(textAt(entry, 'ip'), /^127\./);
  assert.equal(textAt(entry, 'changes', 0, 'after'), 'Called the buyer');
});

test('[OPS-06] [PRIV-02] an erased customer takes address and notes only', async () => {
  const order = await createOrder(shop, `erased-${Date.now()}`);
  const noted = await shop.api('POST', `/orders/${order.id}/notes`, { token: owner, body: { text: 'Quillfeather' } });
  assert.equal(noted.status, 201);
  assert.equal((await read('q=quillfeather')).length, 1);
  const cancelled = await shop.api('POST', `/orders/${order.id}/release-stock`, {
    token: owner,
    body: { reason: 'Asked by phone' },
  });
  const userId = textAt((await shop.api('GET', '/users/user', { token: order.token })).body, 'id');
  const body = { username: order.username };
  if (cancelled.status !== 200) {
    const done = await shop.api('POST', `/orders/${order.id}/cancel`, { token: order.token });
    assert.equal(done.status, 200, JSON.stringify(done.body));
  }
  const erased = await shop.api('POST', `/support/customers/${userId}/erase`, { token: owner, body });
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  assert.equal((await read('q=quillfeather')).length, 0);
  const entries = await read(`q=${order.number}`);
  const note = entries.find((one) => textAt(one, 'action') === 'order.note_added');
  assert.deepEqual([valueAt(note, 'is_erased'), valueAt(note, 'changes')], [true, []]);
  assert.deepEqual([textAt(note, 'actor'), valueAt(note, 'ip') !== null], ['owner', true]);
});

test('[OPS-06] name, address, password and factor of a member are entries', async () => {
  const { username, id } = await createMember('support');
  const { token } = await setUpApp(shop, username);
  const change = async (body: object): Promise<void> => {
    const changed = await shop.api('PUT', `/users/${id}`, { token, body });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
  };
  await change({ username: `${username}b`, email: `${username}b@evidence.example` });
  await change({ password: 'another-password' });
  await change({ password: '' });
  const entries = await read(`actor=${id}`);
  assert.deepEqual(
    entries.map((one) => textAt(one, 'action')),
    ['account.password-changed', 'account.email-changed', 'account.renamed', 'account.second-factor-added'],
  );
  assert.deepEqual(valueAt(entries[1], 'changes'), [
    { field: 'Email', before: `${username}@evidence.example`, after: `${username}b@evidence.example` },
  ]);
  assert.ok(!JSON.stringify(entries).includes('another-password'));
});

test('[OPS-06] changes of a customer’s own account are no entries', async () => {
  const { token } = await createOrder(shop, `private-${Date.now()}`);
  const id = textAt((await shop.api('GET', '/users/user', { token })).body, 'id');
  const total = async () => numberAt((await shop.api('GET', '/support/audit', { token: owner })).body, 'total');
  const earlier = await total();
  const body = { username: `private-2-${Date.now()}`, password: 'another-password' };
  assert.equal((await shop.api('PUT', `/users/${id}`, { token, body })).status, 200);
  assert.equal(await total(), earlier);
});

const readUrl = (entry: unknown): unknown =>
  valueAt(
    listAt(entry, 'changes').find((one) => textAt(one, 'field') === 'URL'),
    'after',
  );

test('[OPS-06] addresses of webhooks are masked for roles that may not read them', async () => {
  const { username } = await createMember('manager');
  const manager = await logIn(username);
  const body = {
    url: 'https://hooks.example/in/hushhushsecret?key=topsecretkey',
    description: 'Warehouse',
    event_types: ['order.created'],
  };
  const created = await shop.api('POST', '/webhooks', { token: owner, body });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.equal(readUrl((await read('kind=webhook'))[0]), body.url);
  const [masked] = await read('kind=webhook', manager);
  assert.equal(readUrl(masked), 'https://hooks.example/…');
  assert.match(JSON.stringify(masked), /Warehouse/);
  for (const q of ['hushhush', 'topsecret', 'topsecretkey']) {
    assert.equal((await read(`q=${q}`, manager)).length, 0, q);
    assert.equal((await read(`q=${q}`)).length, 1, q);
  }
  const exported = await shop.api('GET', '/exports/audit', { token: owner });
  assert.match(String(exported.body), /topsecretkey/);
});
