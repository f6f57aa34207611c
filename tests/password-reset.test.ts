/** Password reset, against a running shop. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keysAt, listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

// Without rate limits: the limits of a code still apply.
let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'off' } });
});
after(() => shop.stop());

const PASSWORD = 'crypto-market';
const SUBJECT = 'Your password reset code';
let count = 0;

async function createCustomer(): Promise<{
  readonly username: string;
  readonly email: string;
  readonly token: string;
}> {
  const username = `loser ${(count += 1)}`;
  const email = `loser${count}@lost.example`;
  await shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } });
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });
  return { username, email, token: textAt(body, 'tokens', 'accessToken') };
}

const requestCode = (email: string) => shop.api('POST', '/users/request-password-reset', { body: { email } });
const reset = (email: string, code: string, newPassword = 'a-new-password') =>
  shop.api('POST', '/users/reset-password', { body: { email, code, newPassword } });
const logIn = async (username: string, password: string): Promise<number> =>
  (await shop.api('POST', '/users/login', { body: { username, password } })).status;
const listMailsTo = async (email: string, subject: string): Promise<readonly string[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body)
    .filter((mail) => textAt(mail, 'subject') === subject)
    .map((mail) => textAt(mail, 'text'));
/** The code in the newest of this many mails. */
async function waitForCode(email: string, mails = 1): Promise<string> {
  await waitUntil(async () => (await listMailsTo(email, SUBJECT)).length >= mails);
  const [newest = ''] = await listMailsTo(email, SUBJECT);
  return /^Code: ([A-Z2-7]{8})$/m.exec(newest)?.[1] ?? assert.fail(newest);
}
const alterCode = (code: string): string => `${code.startsWith('A') ? 'B' : 'A'}${code.slice(1)}`;
const toComparable = ({ status, body, headers }: ApiResponse) => [
  status,
  body,
  [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
];

test('[ACC-07] [API-08] resets the password once, ends sessions, sends a notice', async () => {
  const { username, email, token } = await createCustomer();
  const requested = await requestCode(email.toUpperCase());
  assert.deepEqual([requested.status, requested.body], [200, { message: 'success' }]);
  const code = await waitForCode(email);
  const done = await reset(email, code.toLowerCase());
  assert.deepEqual([done.status, done.body, done.headers.getSetCookie()], [200, { message: 'success' }, []]);
  assert.equal((await shop.api('GET', '/users/user', { token })).status, 401);
  assert.deepEqual([await logIn(username, PASSWORD), await logIn(username, 'a-new-password')], [401, 200]);
  assert.equal(textAt((await reset(email, code)).body, 'error', 'code'), 'invalid-code');
  await waitUntil(async () => (await listMailsTo(email, 'Your password was reset')).length === 1);
});

test('[ACC-07] responds identically without an account and sends no mail', async () => {
  const { email } = await createCustomer();
  const unknown = 'nobody@lost.example';
  assert.deepEqual(toComparable(await requestCode(unknown)), toComparable(await requestCode(email)));
  const code = await waitForCode(email);
  for (const typed of [alterCode(code), 'x', '', code.slice(1)]) {
    assert.deepEqual(toComparable(await reset(unknown, typed)), toComparable(await reset(email, typed)), typed);
  }
  // Both return the same after too many attempts.
  for (let tries = 0; tries < 7; tries += 1) {
    assert.deepEqual(
      toComparable(await reset(unknown, alterCode(code))),
      toComparable(await reset(email, alterCode(code))),
    );
  }
  assert.deepEqual(await listMailsTo(unknown, SUBJECT), []);
  for (const address of ['nowhere', '', 'a@b']) assert.equal((await requestCode(address)).status, 400);
});

test('[ACC-07] lets one of twenty concurrent uses of a code succeed', async () => {
  const { email, username } = await createCustomer();
  await requestCode(email);
  const code = await waitForCode(email);
  const passwords = Array.from({ length: 20 }, (_, at) => `password number ${at}`);
  const responses = await Promise.all(passwords.map((password) => reset(email, code, password)));
  const statuses = responses.map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array.from({ length: 19 }, () => 400)],
  );
  assert.equal(await logIn(username, passwords[statuses.indexOf(200)] ?? ''), 200);
});

test('[ACC-07] refuses the right code after five wrong ones', async () => {
  const { email, username } = await createCustomer();
  await requestCode(email);
  const code = await waitForCode(email);
  await Promise.all(Array.from({ length: 12 }, () => reset(email, alterCode(code))));
  assert.equal((await reset(email, code)).status, 400);
  await requestCode(email);
  const next = await waitForCode(email, 2);
  for (let tries = 0; tries < 4; tries += 1) await reset(email, alterCode(next));
  assert.equal((await reset(email, next)).status, 200, 'the fifth attempt is allowed');
  assert.equal(await logIn(username, 'a-new-password'), 200);
});

test('[ACC-07] limits attempts to 25 a day across codes', async () => {
  const { email } = await createCustomer();
  for (let round = 1; round <= 5; round += 1) {
    await requestCode(email);
    const code = await waitForCode(email, round);
    for (let tries = 0; tries < 5; tries += 1) assert.equal((await reset(email, alterCode(code))).status, 400);
  }
  await requestCode(email);
  const code = await waitForCode(email, 6);
  assert.equal((await reset(email, code)).status, 400);
  try {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 24 * 3600 + 60 } });
    await requestCode(email);
    assert.equal((await reset(email, await waitForCode(email, 7))).status, 200);
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
});

test('[ACC-07] accepts the three newest codes for ten minutes', async () => {
  const { email } = await createCustomer();
  const other = await createCustomer();
  const codes = [];
  for (let mails = 1; mails <= 4; mails += 1) {
    await requestCode(email);
    codes.push(await waitForCode(email, mails));
  }
  const [oldest = '', second = ''] = codes;
  assert.equal((await reset(other.email, second)).status, 400);
  assert.equal((await reset(email, oldest)).status, 400);
  assert.equal((await reset(email, second)).status, 200);
  assert.equal((await reset(email, codes[3] ?? '')).status, 400, 'a reset invalidates the others');
  await requestCode(email);
  const late = await waitForCode(email, 5);
  try {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 10 * 60 + 5 } });
    assert.equal((await reset(email, late)).status, 400);
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
});

test('[ACC-07] refuses a bad password without using the code', async () => {
  const { email, token } = await createCustomer();
  await requestCode(email);
  const code = await waitForCode(email);
  for (const password of ['12345', 'password1', '']) {
    const refused = await reset(email, code, password);
    assert.deepEqual([refused.status, keysAt(refused.body, 'error', 'fields')], [400, ['newPassword']]);
  }
  const { body } = await shop.api('GET', '/users/user', { token });
  const moved = 'moved@lost.example';
  const path = `/users/${textAt(body, 'id')}`;
  assert.equal((await shop.api('PUT', path, { token, body: { email: moved } })).status, 200);
  for (const address of [email, moved]) assert.equal((await reset(address, code)).status, 400);
});

test('[API-00] limits codes to three an hour per address', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    for (const email of ['bob@shop.example', 'nobody@lost.example']) {
      const statuses = [];
      for (let tries = 0; tries < 4; tries += 1) {
        const response = await limited.api('POST', '/users/request-password-reset', { body: { email } });
        statuses.push(response.status);
        if (response.status === 429) assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
      }
      assert.deepEqual(statuses, [200, 200, 200, 429]);
    }
  } finally {
    await limited.stop();
  }
});
