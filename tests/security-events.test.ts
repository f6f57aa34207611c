/** The security log and reauthentication of staff, on the real shop. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOrder } from './support/new-order.ts';
import { listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'debug' } });
});
after(() => shop.stop());

type Line = Readonly<Record<string, unknown>>;
const isLine = (value: unknown): value is Line => typeof value === 'object' && value !== null;

function listLines(kind: string): Line[] {
  return shop
    .readOutput()
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text): unknown => JSON.parse(text))
    .filter(isLine)
    .filter((line) => line['security_event'] === kind);
}
/** Waits for the newest line of a kind that matches. */
async function waitForLine(kind: string, isIt: (line: Line) => boolean = () => true): Promise<Line> {
  await waitUntil(async () => listLines(kind).some(isIt));
  return listLines(kind).findLast(isIt) ?? assert.fail(kind);
}
/** With the request id of the response. */
const waitForLineOfResponse = (kind: string, { headers }: ApiResponse): Promise<Line> =>
  waitForLine(kind, (line) => line['request_id'] === headers.get('x-request-id'));

const logIn = (username: string, password = PASSWORD) =>
  shop.api('POST', '/users/login', { body: { username, password } });
async function logInAs(username: string): Promise<string> {
  return textAt((await logIn(username)).body, 'tokens', 'accessToken');
}
const readError = ({ status, body }: ApiResponse) => [status, textAt(body, 'error', 'code')];
const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });

test('[OPS-26] logs one line per login with user, client and request', async () => {
  const right = await logIn('alice');
  const userId = textAt(right.body, 'user', 'id');
  const line = await waitForLineOfResponse('login_succeeded', right);
  const { user_id, client, call, result } = line;
  assert.deepEqual(
    { user_id, client, call, result },
    {
      user_id: userId,
      client: '127.0.0.1',
      call: 'POST /users/login',
      result: 'ok',
    },
  );
  const wrong = await waitForLineOfResponse('login_failed', await logIn('alice', 'not-the-password'));
  assert.deepEqual([wrong['user_id'], wrong['level']], [userId, 'warn']);
  const nobody = await waitForLineOfResponse('login_failed', await logIn('nobody-of-this-name', 'x'));
  assert.equal(nobody['user_id'], null);
});

test('[OPS-26] logs refused calls and foreign origins as forbidden', async () => {
  const token = await logInAs('alice');
  const refused = await shop.api('GET', '/support/orders', { token });
  const line = await waitForLineOfResponse('forbidden', refused);
  assert.deepEqual([line['call'], line['result']], ['GET /support/orders', 'forbidden']);
  const foreign = await shop.api('POST', '/users/logout', {
    cookie: 'a=b',
    headers: { origin: 'https://evil.example' },
  });
  assert.equal((await waitForLineOfResponse('forbidden', foreign))['result'], 'foreign-origin');
});

test('[OPS-26] logs password and address changes, resets and deletions', async () => {
  const account = { username: 'changer', email: 'changer@events.example', password: PASSWORD };
  await shop.api('POST', '/users/register', { body: account });
  const { body } = await logIn('changer');
  const [token, id] = [textAt(body, 'tokens', 'accessToken'), textAt(body, 'user', 'id')];
  const change = (changed: object) => shop.api('PUT', `/users/${id}`, { token, body: changed });
  const email = 'changed@events.example';
  assert.equal((await waitForLineOfResponse('address_changed', await change({ email })))['user_id'], id);
  assert.equal(
    (await waitForLineOfResponse('password_changed', await change({ password: 'another-one' })))['user_id'],
    id,
  );
  await waitForLineOfResponse(
    'password_reset_requested',
    await shop.api('POST', '/users/request-password-reset', { body: { email } }),
  );
  let code = '';
  await waitUntil(async () => {
    const mails = listAt((await shop.api('GET', `/dev/mail?to=${email}`)).body);
    code = mails.map((mail) => /^Code: ([A-Z2-7]{8})$/m.exec(textAt(mail, 'text'))?.[1] ?? '').find(Boolean) ?? '';
    return code !== '';
  });
  const reset = (typed: string) =>
    shop.api('POST', '/users/reset-password', { body: { email, code: typed, newPassword: 'canary-Zx81-new' } });
  await waitForLineOfResponse('password_reset_failed', await reset('AAAAAAAA'));
  assert.equal((await waitForLineOfResponse('password_reset_used', await reset(code)))['user_id'], id);
  const again = textAt((await logIn('changer', 'canary-Zx81-new')).body, 'tokens', 'accessToken');
  const deletion = await shop.api('DELETE', `/users/${id}`, { token: again, body: { username: 'changer' } });
  assert.equal((await waitForLineOfResponse('account_deleted', deletion))['user_id'], id);
  for (const secret of [code, 'canary-Zx81-new', 'another-one', email, token, again]) {
    assert.ok(!shop.readOutput().includes(secret), `the log contains ${secret}`);
  }
});

test('[OPS-26] logs staff reads of personal data once per open page', async () => {
  const staff = await logInAs('staff');
  const { id, token } = await createOrder(shop, 'read-buyer');
  const read = () => shop.api('GET', `/support/orders/${id}`, { token: staff });
  const line = await waitForLineOfResponse('staff_read', await read());
  assert.deepEqual([line['target_id'], line['call']], [id, 'GET /support/orders/{id}']);
  await read();
  assert.equal(listLines('staff_read').filter((one) => one['target_id'] === id).length, 1);
  const ticket = { title: 'Canary ticket', theme: 'Delivery', description: 'Where is it?' };
  const ticketId = textAt((await shop.api('POST', '/tickets/create', { token, body: ticket })).body, 'id');
  await shop.api('GET', `/tickets/${ticketId}`, { token });
  const ofStaff = await shop.api('GET', `/tickets/${ticketId}/messages`, { token: staff });
  assert.equal((await waitForLineOfResponse('staff_read', ofStaff))['target_id'], ticketId);
  const readings = listLines('staff_read').filter((one) => one['target_id'] === ticketId);
  assert.equal(readings.length, 1, 'a read by the owner is not logged');
});

test('[OPS-26] staff actions on money require a password within 15 minutes', async () => {
  const staff = await logInAs('staff');
  const { id } = await createOrder(shop, 'settled-buyer');
  const act = (path: string, body: unknown) => shop.api('POST', path, { token: staff, body, password: null });
  const ABSENT = '019a0000-0000-7000-8000-000000000000';
  const actions: readonly (readonly [string, unknown])[] = [
    [`/orders/${id}/settle`, { reason: 'As agreed' }],
    [`/orders/${id}/give-up`, { reason: 'As agreed' }],
    [`/orders/${id}/refunds`, { covers: 'whole', fee_paid_by: 'shop' }],
    [`/refunds/${ABSENT}/broadcast`, { psbt: 'cHNidP8=' }],
    [`/refunds/${ABSENT}/withdraw`, undefined],
    [`/refunds/${ABSENT}/record`, { txid: 'ab'.repeat(32) }],
  ];
  for (const [path, body] of actions) assert.notEqual((await act(path, body)).status, 401, path);
  try {
    await moveClock(15 * 60 + 5);
    for (const [path, body] of actions) {
      const asked = await act(path, body);
      assert.deepEqual(readError(asked), [401, 'reauth'], path);
      const line = await waitForLineOfResponse('staff_money_action', asked);
      assert.equal(line['result'], 'reauth');
    }
    const wrong = await shop.api('POST', '/users/reauthenticate', {
      token: staff,
      body: { password: 'canary-wrong-1' },
    });
    await waitForLineOfResponse('reauthentication_failed', wrong);
    const right = await shop.api('POST', '/users/reauthenticate', { token: staff, body: { password: PASSWORD } });
    await waitForLineOfResponse('reauthenticated', right);
    for (const [path, body] of actions) assert.notEqual((await act(path, body)).status, 401, path);
    assert.equal(
      (await shop.api('GET', `/support/orders/${id}`, { token: staff })).status,
      200,
      'reads need no recent password',
    );
  } finally {
    await moveClock(0);
  }
});

test('[OPS-26] no log line contains a password, token, code or email address', async () => {
  const canary = { username: 'canary user', email: 'canary-7261@secret.example', password: 'canary-password-7261' };
  await shop.api('POST', '/users/register', { body: canary });
  await logIn(canary.email, 'canary-guess-7261');
  await logIn(canary.password, canary.password);
  const response = await logIn(canary.email, canary.password);
  const token = textAt(response.body, 'tokens', 'accessToken');
  await shop.api('POST', '/users/reauthenticate', { token, body: { password: 'canary-guess-7261' } });
  await shop.api('POST', '/users/request-password-reset', { body: { email: canary.email } });
  await shop.api('POST', '/users/confirm-email', { body: { token: 'c'.repeat(43) } });
  await shop.api('GET', `/pay/${'canarytoken'.repeat(4)}`);
  await shop.api('GET', `/support/orders?q=${canary.email}`, { token: await logInAs('staff') });
  await shop.api('GET', `/support/orders/${canary.email}`, { token });
  await waitForLineOfResponse('login_failed', await logIn('the last', 'one'));
  const output = shop.readOutput();
  for (const secret of [
    'canary-7261',
    '7261@secret',
    'canary-password',
    'canary-guess',
    'canarytoken',
    token,
    'ccccccc',
  ]) {
    assert.ok(!output.includes(secret), `the log contains ${secret}`);
  }
  assert.ok(output.includes('login_succeeded'));
});

test('[OPS-26] logs a locked login', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on', LOG_LEVEL: 'info' } });
  try {
    const guess = () => limited.api('POST', '/users/login', { body: { username: 'bob', password: 'wrong' } });
    for (let count = 0; count < 8; count += 1) await guess();
    await waitUntil(async () => limited.readOutput().includes('"login_locked"'));
  } finally {
    await limited.stop();
  }
});
