/** Every call that takes a password, code, passkey or token: what it checks, and which limits bound the guesses. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { shopApi } from '#src/shop/api.ts';
import type { Endpoint } from '#src/platform/http/endpoint.ts';
import type { ApiResponse } from './support/api-client.ts';
import { CALL_LIMITS } from './support/call-limits.ts';
import { addPasskey, getParty, readChallenge } from './support/passkey-account.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createSoftwareAuthenticator } from './support/software-authenticator.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { enterPassword, readPendingLogin, setUpApp, showWrongCode } from './support/totp-app.ts';

const ADDRESS = '203.0.113.77';
const FROM = { headers: { 'x-forwarded-for': ADDRESS }, password: null };
const ELSEWHERE = { origin: 'https://elsewhere.example' };

interface Callers {
  readonly customer: string;
  /** A member of the team with an app and a passkey. */
  readonly member: string;
  readonly username: string;
  readonly secret: string;
}

let shop: TestShop;
let callers: Callers;
const authenticator = createSoftwareAuthenticator();
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
  const { body } = await enterPassword(shop, 'alice');
  const { token: member, username, secret } = await setUpApp(shop, 'staff');
  assert.equal((await addPasskey(shop, { token: member, authenticator })).status, 201);
  callers = { customer: textAt(body, 'tokens', 'accessToken'), member, username, secret };
});
after(() => shop.stop());

interface Guessable {
  /** Counts per account, session or device, then those per address. `tries` is a table of its own. */
  readonly account: readonly string[];
  readonly address: readonly string[];
  /** A wrong guess. */
  readonly guess: () => Promise<ApiResponse>;
}

const UNKNOWN_DEVICE = ['login-failures', 'login-failures-first', 'login-failures-of'];
const SESSION = ['login-failures-device', 'login-failures-device-an-hour', 'wrong passwords of the session'];
const FACTOR = ['second-factor', 'second-factor-a-day'];
const FACTOR_FROM = ['second-factor-from'];

const beginLogin = async (): Promise<string> => readPendingLogin(await enterPassword(shop, callers.username));
const sendCode = (path: string): Promise<ApiResponse> =>
  shop.api('POST', path, { ...FROM, token: callers.member, body: { code: showWrongCode(callers.secret) } });

const GUESSABLE: Readonly<Record<string, Guessable>> = {
  'POST /users/login': {
    account: UNKNOWN_DEVICE,
    address: ['login-failures-from'],
    guess: () => shop.api('POST', '/users/login', { ...FROM, body: { username: 'alice', password: 'wrong' } }),
  },
  'POST /users/reauthenticate': {
    account: SESSION,
    address: ['login-failures-from-known'],
    guess: () =>
      shop.api('POST', '/users/reauthenticate', { ...FROM, token: callers.customer, body: { password: 'wrong' } }),
  },
  'POST /users/reset-password': {
    account: ['tries of the address'],
    address: ['POST /users/reset-password'],
    guess: () => {
      const body = { email: 'alice@example.com', code: 'AAAAAAAA', newPassword: 'another-password' };
      return shop.api('POST', '/users/reset-password', { ...FROM, body });
    },
  },
  'POST /users/login/second-factor': {
    account: FACTOR,
    address: FACTOR_FROM,
    guess: async () => {
      const body = { code: showWrongCode(callers.secret) };
      return shop.api('POST', '/users/login/second-factor', { ...FROM, cookie: await beginLogin(), body });
    },
  },
  'POST /users/login/passkey': {
    account: FACTOR,
    address: FACTOR_FROM,
    guess: async () => {
      const cookie = await beginLogin();
      const challenge = await readChallenge(shop, cookie);
      const credential = authenticator.use({ ...getParty(shop), challenge, ...ELSEWHERE });
      return shop.api('POST', '/users/login/passkey', { ...FROM, cookie, body: { credential } });
    },
  },
  'POST /second-factor/verify': {
    account: FACTOR,
    address: FACTOR_FROM,
    guess: () => sendCode('/second-factor/verify'),
  },
  'POST /second-factor/verify-passkey': {
    account: FACTOR,
    address: FACTOR_FROM,
    guess: async () => {
      const token = callers.member;
      const { body } = await shop.api('POST', '/second-factor/verification-options', { token });
      const challenge = textAt(body, 'passkey_options', 'challenge');
      const credential = authenticator.use({ ...getParty(shop), challenge, ...ELSEWHERE });
      return shop.api('POST', '/second-factor/verify-passkey', { ...FROM, token, body: { credential } });
    },
  },
  'POST /second-factor/recovery-codes': {
    account: FACTOR,
    address: FACTOR_FROM,
    guess: () => sendCode('/second-factor/recovery-codes'),
  },
  'POST /second-factor/remove': {
    account: FACTOR,
    address: FACTOR_FROM,
    guess: () => sendCode('/second-factor/remove'),
  },
  'POST /promocodes/apply': {
    account: ['promo-failures'],
    address: ['promo-failures-from'],
    guess: () => shop.api('POST', '/promocodes/apply', { ...FROM, token: callers.customer, body: { code: 'GUESS' } }),
  },
};

/** 256 random bits: no number of guesses finds one. A limit by address bounds the load. */
const TOKENS = [
  'POST /users/confirm-email',
  'POST /second-factor/cancel-change',
  'POST /invitations/read',
  'POST /invitations/register',
  'POST /first-owner/read',
  'POST /first-owner/register',
  'POST /refund-addresses/confirm',
  'GET /pay/{token}',
] as const;
/** The same, for callers who are logged in. */
const TOKENS_OF_USERS = ['POST /invitations/accept'];

/** Calls that set a secret or take a name, and check none. */
const CHECKS_NONE: Readonly<Record<string, string>> = {
  'POST /users/register': 'a new password',
  'PUT /users/{id}': 'a new password, within 15 minutes of POST /users/reauthenticate',
  'POST /second-factor/confirm': 'a code of a secret that the same session got; guessing it gains nothing',
  'POST /second-factor/passkeys': 'a new passkey',
  'POST /cart/checkout': 'a postcode',
  'PUT /orders/{id}/address': 'a postcode',
  'POST /exports/backup': 'a passphrase for the file, by owners',
  'POST /support/orders': 'a promo code, by staff',
  'POST /support/orders/preview': 'a promo code, by staff',
  'POST /support/promotions': 'a new promo code',
  'PUT /support/promotions/{id}': 'a promo code, by staff',
  'POST /support/returns/{id}/receive': 'the code on a slip, by staff',
};

const SECRET = /pass|code|token|credential|secret/i;
const listFields = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

test('[OPS-26] every call that takes a secret has a row', () => {
  const endpoints: readonly (readonly [string, Endpoint])[] = Object.entries(shopApi);
  const found = endpoints.filter(([, { body, params, query }]) =>
    [body, params, query].flatMap(listFields).some((field) => SECRET.test(field)),
  );
  const rows = [...Object.keys(GUESSABLE), ...TOKENS, ...TOKENS_OF_USERS, ...Object.keys(CHECKS_NONE)];
  assert.deepEqual(found.map(([key]) => key).toSorted(), rows.toSorted());
});

/** What counts a guess at present. */
const readCounts = (): Promise<readonly string[]> =>
  runWithShopDatabase(shop, async (db) => {
    const { rows } = await sql<{ name: string }>`
      select split_part(key, ':', 1) as name from rate_limits where points > 0
      union select 'tries of the address' from password_reset_tries where tries > 0
      union select 'wrong passwords of the session' from sessions where wrong_passwords > 0
    `.execute(db);
    return rows.map(({ name }) => name).toSorted();
  });
const forgetCounts = () => runWithShopDatabase(shop, (db) => sql`delete from rate_limits`.execute(db));

for (const [key, { account, address, guess }] of Object.entries(GUESSABLE)) {
  test(`[OPS-26] limits guesses by ${key} per account and per address`, async () => {
    await runWithShopDatabase(shop, async (db) => {
      await sql`delete from password_reset_tries`.execute(db);
      await sql`update sessions set wrong_passwords = 0`.execute(db);
    });
    await forgetCounts();
    const { status, body } = await guess();
    assert.ok([400, 401, 403, 404].includes(status), `${status} ${JSON.stringify(body)}`);
    assert.match(textAt(body, 'error', 'code'), /^(?:invalid|wrong|promo-not-found)/);
    assert.deepEqual(await readCounts(), [...account, ...address].toSorted());
  });
}

test('[OPS-26] a stolen session without a recent password changes and deletes nothing', async () => {
  const { customer } = callers;
  const { body } = await shop.api('GET', '/users/user', { token: customer });
  const path = `/users/${textAt(body, 'id')}`;
  await runWithShopDatabase(shop, (db) =>
    sql`update sessions set authenticated_at = now() - interval '1 hour'`.execute(db),
  );
  const changed = await shop.api('PUT', path, { ...FROM, token: customer, body: { password: 'another-password' } });
  const deleted = await shop.api('DELETE', path, { ...FROM, token: customer, body: { username: 'alice' } });
  for (const refused of [changed, deleted]) assert.equal(textAt(refused.body, 'error', 'code'), 'reauth');
});

test('[OPS-26] tokens are limited per address', () => {
  const limits = new Map<string, string>(Object.entries(CALL_LIMITS));
  for (const key of TOKENS) assert.match(limits.get(key) ?? '', /^\d{1,3} in 60 s by ip/, key);
  for (const key of TOKENS_OF_USERS) assert.match(limits.get(key) ?? '', / by caller/, key);
});
