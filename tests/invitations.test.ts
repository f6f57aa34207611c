/** Invitations to the team, over HTTP. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { enterPassword } from './support/totp-app.ts';
import { waitUntil } from './support/wait-until.ts';

const PASSWORD = 'crypto-market';
const DAY = 86_400;

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info' } });
  owner = await logIn('owner');
});
after(() => shop.stop());
afterEach(() => moveClock(0));

const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
const readError = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const logIn = async (username: string): Promise<string> =>
  textAt((await enterPassword(shop, username)).body, 'tokens', 'accessToken');

let count = 0;
const createAddress = (): string => `invited${(count += 1)}@team.example`;
const invite = (email: string, role = 'support', token = owner) =>
  shop.api('POST', '/staff/invitations', { token, body: { email, role } });
const findId = ({ body }: ApiResponse, email: string): string =>
  textAt(
    listAt(body, 'invitations').find((one) => textAt(one, 'email') === email),
    'id',
  );

async function listTokens(email: string): Promise<string[]> {
  const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`);
  return [...JSON.stringify(body).matchAll(/\/invitation\/([\w-]{43})/g)].map(([, token = '']) => token);
}

/** The tokens of the mails to an address, once there are as many different ones. */
async function waitForTokens(email: string, mails = 1): Promise<string[]> {
  let tokens: string[] = [];
  await waitUntil(async () => {
    tokens = [...new Set(await listTokens(email))];
    return tokens.length === mails;
  });
  return tokens;
}

async function inviteWithToken(role = 'support') {
  const email = createAddress();
  const invited = await invite(email, role);
  assert.equal(invited.status, 201, JSON.stringify(invited.body));
  const [token = ''] = await waitForTokens(email);
  return { email, token, id: findId(invited, email) };
}

const read = async (token: string): Promise<unknown> =>
  (await shop.api('POST', '/invitations/read', { body: { token } })).body;
const readState = async (token: string): Promise<unknown> => valueAt(await read(token), 'state');
const register = (token: string, username: string) =>
  shop.api('POST', '/invitations/register', { body: { token, username, password: PASSWORD } });
const accept = (token: string, as: string) => shop.api('POST', '/invitations/accept', { token: as, body: { token } });

async function createCustomer(email: string): Promise<string> {
  const username = `customer${(count += 1)}`;
  const body = { username, email, password: PASSWORD };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  return logIn(username);
}

const readRole = async (email: string): Promise<string | null> => {
  const { body } = await shop.api('GET', '/staff', { token: owner });
  const member = listAt(body, 'staff').find((one) => textAt(one, 'email') === email);
  return member === undefined ? null : textAt(member, 'role');
};

test('[OPS-01] [OPS-17] pages behind a link send no path as Referer', async () => {
  for (const name of [
    'invitation',
    'first-owner',
    'confirm-email',
    'confirm-refund-address',
    'cancel-second-factor-change',
  ]) {
    const page = await fetch(`${shop.url}/${name}/${'x'.repeat(43)}`);
    assert.equal(page.headers.get('referrer-policy'), 'strict-origin', name);
    assert.match(page.headers.get('cache-control') ?? '', /no-store/, name);
  }
});

test('[OPS-17] an invited person creates an account with the role', async () => {
  const { email, token } = await inviteWithToken('shipping');
  assert.deepEqual(await read(token), { state: 'open', email, role: 'shipping' });
  assert.equal((await register(token, 'new-packer')).status, 201);
  assert.equal(await readRole(email), 'shipping');
  assert.equal((await shop.api('GET', '/support/orders', { token: await logIn('new-packer') })).status, 200);
  assert.equal(await readState(token), 'used');
  assert.equal(readError(await register(token, 'second-packer')), '409 invitation-closed');
});

test('[OPS-17] a customer accepts with the account of the invited address only', async () => {
  const { email, token } = await inviteWithToken('manager');
  const stranger = await createCustomer(createAddress());
  assert.equal(readError(await accept(token, stranger)), '403 other-account');
  assert.equal(readError(await accept(token, owner)), '403 other-account');
  const customer = await createCustomer(email);
  assert.equal(readError(await register(token, 'other-name')), '409 taken');
  assert.equal((await accept(token, customer)).status, 200);
  assert.equal(await readRole(email), 'manager');
  assert.equal(readError(await accept(token, customer)), '401 unauthenticated', 'the session has ended');
  const again = await logIn(email);
  assert.equal(readError(await accept(token, again)), '409 already-member');
});

test('[OPS-17] of concurrent acceptances one joins', async () => {
  const { email, token } = await inviteWithToken();
  const customer = await createCustomer(email);
  const accepted = await Promise.all([1, 2, 3, 4].map(() => accept(token, customer)));
  assert.equal(accepted.filter(({ status }) => status === 200).length, 1);
  const other = await inviteWithToken();
  const registered = await Promise.all(['one', 'two', 'three'].map((name) => register(other.token, `racer-${name}`)));
  assert.equal(registered.filter(({ status }) => status === 201).length, 1);
  assert.ok(registered.every(({ status }) => status === 201 || status === 409));
  const withdrawn = await inviteWithToken();
  const path = `/staff/invitations/${withdrawn.id}`;
  const [joined, ended] = await Promise.all([
    register(withdrawn.token, 'late-racer'),
    shop.api('DELETE', path, { token: owner }),
  ]);
  assert.deepEqual([joined.status, ended.status], joined.status === 201 ? [201, 404] : [409, 200]);
});

test('[OPS-17] a new link replaces the former one, and a withdrawn one says so', async () => {
  const { email, token, id } = await inviteWithToken();
  assert.equal(readError(await invite(email)), '409 already-invited');
  assert.equal((await shop.api('POST', `/staff/invitations/${id}/resend`, { token: owner })).status, 200);
  const renewed = (await waitForTokens(email, 2)).find((one) => one !== token) ?? '';
  assert.equal(readError(await shop.api('POST', '/invitations/read', { body: { token } })), '404 not-found');
  assert.equal(readError(await register(token, 'with-old-link')), '404 not-found');
  assert.equal(await readState(renewed), 'open');
  const withdraw = () => shop.api('DELETE', `/staff/invitations/${id}`, { token: owner });
  assert.deepEqual([(await withdraw()).status, (await withdraw()).status], [200, 404]);
  assert.equal(await readState(renewed), 'withdrawn');
  assert.equal(readError(await register(renewed, 'withdrawn')), '409 invitation-closed');
  assert.equal((await invite(email)).status, 201, 'invited again');
});

test('[OPS-17] a link expires after seven days or with the role of its sender', async () => {
  const { token, email } = await inviteWithToken();
  await moveClock(7 * DAY + 1);
  assert.equal(await readState(token), 'expired');
  assert.equal(readError(await register(token, 'too-late')), '409 invitation-closed');
  await moveClock(0);
  assert.equal(await readState(token), 'open');
  const partner = await inviteWithToken('owner');
  await register(partner.token, 'partner');
  const invited = createAddress();
  assert.equal((await invite(invited, 'manager', await logIn('partner'))).status, 201);
  const [sent = ''] = await waitForTokens(invited);
  const demote = { token: owner, body: { username: 'partner', role: 'customer' } };
  assert.equal((await shop.api('PUT', '/staff/role', demote)).status, 200);
  assert.equal(await readState(sent), 'expired');
  assert.equal(readError(await register(sent, 'friend')), '409 invitation-closed');
  assert.equal(await readRole(email), null);
});

test('[OPS-17] an invitation looks the same with and without an account', async () => {
  const [unknown, known] = [createAddress(), createAddress()];
  await createCustomer(known);
  const [first, second] = [await invite(unknown), await invite(known)];
  assert.deepEqual([first.status, second.status], [201, 201]);
  const [[token = ''], [other = '']] = [await waitForTokens(unknown), await waitForTokens(known)];
  assert.deepEqual(await read(token), { state: 'open', email: unknown, role: 'support' });
  assert.deepEqual(await read(other), { state: 'open', email: known, role: 'support' });
  assert.equal(readError(await invite('OWNER@example.com')), '409 already-member');
});

test('[OPS-17] only owners invite, to roles of the team', async () => {
  const email = createAddress();
  const staff = await logIn('staff');
  assert.equal(readError(await invite(email, 'support', staff)), '403 forbidden');
  assert.equal(readError(await invite(email, 'customer')), '400 invalid');
  assert.equal(readError(await invite('not an address')), '400 invalid');
});

test('[OPS-17] invitations are in the audit log, and tokens are stored as hashes', async () => {
  const { email, token, id } = await inviteWithToken();
  await register(token, 'logged-member');
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ action: string }>`
      select action from audit_entries where subject_id = ${id}
      or subject_id = (select user_id::text from (select id as user_id from users where email = ${email}) as found)
      order by id
    `.execute(db),
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['team.invited', 'account.invitation-accepted'],
  );
  const stored = await runWithShopDatabase(shop, (db) =>
    sql<{ row: string }>`select invitations::text as row from invitations`.execute(db),
  );
  for (const { row } of stored.rows) assert.equal(row.includes(token), false);
  assert.equal(shop.readOutput().includes(token), false);
});

test('[OPS-17] invitations are limited per address and owner', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const token = textAt((await enterPassword(limited, 'owner')).body, 'tokens', 'accessToken');
    const send = (email: string) =>
      limited.api('POST', '/staff/invitations', { token, body: { email, role: 'support' } });
    const id = findId(await send('same@team.example'), 'same@team.example');
    const resend = () => limited.api('POST', `/staff/invitations/${id}/resend`, { token });
    for (let mails = 1; mails < 5; mails += 1) assert.equal((await resend()).status, 200);
    assert.equal(readError(await resend()), '429 too-often');
    const statuses: number[] = [];
    for (let mails = 0; mails < 20; mails += 1) statuses.push((await send(`one${mails}@team.example`)).status);
    assert.equal(statuses.filter((status) => status === 429).length > 0, true);
    assert.equal(statuses.at(0), 201);
  } finally {
    await limited.stop();
  }
});
