/** Passkeys of the team, over HTTP with a software authenticator. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import './support/built-pages.ts';
import {
  addPasskey,
  getParty,
  readChallenge,
  requestLoginOptions,
  requestPasskeyOptions,
  sendPasskey,
  setUpPasskey,
  logInWithPasskey,
} from './support/passkey-account.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createSoftwareAuthenticator } from './support/software-authenticator.ts';
import { enterCode, enterPassword, readPendingLogin, setUpApp, showCode } from './support/totp-app.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info', SECOND_FACTOR: 'required' } });
  const token = await logIn('owner');
  await setUpPasskey(shop, token);
  owner = token;
});
after(() => shop.stop());
afterEach(() => moveClock(0));

const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
const readError = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const readToken = ({ body }: ApiResponse): string => textAt(body, 'tokens', 'accessToken');
const logIn = async (username: string): Promise<string> => readToken(await enterPassword(shop, username));
const beginLogin = async (username: string): Promise<string> => readPendingLogin(await enterPassword(shop, username));
const openBackOffice = async (token: string) => (await shop.api('GET', '/support/orders', { token })).status;
const readState = async (token: string) => (await shop.api('GET', '/second-factor', { token })).body;

let count = 0;
async function createMember(): Promise<string> {
  const username = `keyholder${(count += 1)}`;
  const body = { username, email: `${username}@team.example`, password: PASSWORD };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  const change = { token: owner, body: { username, role: 'support' } };
  assert.equal((await shop.api('PUT', '/staff/role', change)).status, 200);
  return username;
}

async function createHolder() {
  const username = await createMember();
  const token = await logIn(username);
  return { username, token, ...(await setUpPasskey(shop, token)) };
}

test('[OPS-17] a passkey completes a login after the password', async () => {
  const { username, token, authenticator, recoveryCodes } = await createHolder();
  assert.equal(recoveryCodes.length, 10);
  const cookie = await beginLogin(username);
  const offered = await requestLoginOptions(shop, cookie);
  assert.equal(valueAt(offered.body, 'has_app'), false);
  assert.equal(textAt(offered.body, 'passkey_options', 'allowCredentials', 0, 'id'), authenticator.id);
  const done = await logInWithPasskey(shop, cookie, authenticator);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal(await openBackOffice(readToken(done)), 200);
  const [passkey] = listAt(await readState(token), 'passkeys');
  assert.equal(textAt(passkey, 'name'), 'Key');
  assert.notEqual(valueAt(passkey, 'last_used_at'), null);
  assert.equal((await enterCode(shop, await beginLogin(username), recoveryCodes[0] ?? '')).status, 200);
});

test('[OPS-17] an account logs in with its app or with any of its passkeys', async () => {
  const { username, token, authenticator } = await createHolder();
  const second = createSoftwareAuthenticator();
  const added = await addPasskey(shop, { token, authenticator: second, name: 'Phone' });
  assert.deepEqual([added.status, listAt(added.body, 'recovery_codes').length], [201, 0]);
  const again = await addPasskey(shop, { token, authenticator: second });
  assert.equal(readError(again), '409 already-registered');
  const secret = textAt((await shop.api('POST', '/second-factor', { token })).body, 'secret');
  const confirm = { token, body: { code: showCode(secret, -1) } };
  assert.equal((await shop.api('POST', '/second-factor/confirm', confirm)).status, 200);
  for (const key of [authenticator, second]) {
    assert.equal((await logInWithPasskey(shop, await beginLogin(username), key)).status, 200);
  }
  const cookie = await beginLogin(username);
  assert.equal(valueAt((await requestLoginOptions(shop, cookie)).body, 'has_app'), true);
  assert.equal((await enterCode(shop, cookie, showCode(secret, 1))).status, 200);
});

test('[OPS-17] refuses passkeys of another origin, domain, account or challenge', async () => {
  const { username, authenticator } = await createHolder();
  const other = await createHolder();
  const refuse = async (changed: object, key = authenticator): Promise<void> => {
    const cookie = await beginLogin(username);
    assert.equal(
      readError(await logInWithPasskey(shop, cookie, key, changed)),
      '401 wrong-passkey',
      JSON.stringify(changed),
    );
  };
  await refuse({ origin: 'https://elsewhere.example' });
  await refuse({ origin: getParty(shop).origin.replace('http:', 'https:') });
  await refuse({ domain: 'elsewhere.example' });
  await refuse({ challenge: 'A'.repeat(43) });
  await refuse({}, other.authenticator);
  await refuse({}, createSoftwareAuthenticator());
  const cookie = await beginLogin(username);
  const challenge = await readChallenge(shop, cookie);
  const { response } = createSoftwareAuthenticator().use({ ...getParty(shop), challenge });
  const forged = { ...authenticator.use({ ...getParty(shop), challenge }), response };
  assert.equal(readError(await sendPasskey(shop, cookie, forged)), '401 wrong-passkey', 'a foreign signature');
  assert.equal((await logInWithPasskey(shop, cookie, authenticator)).status, 200);
});

test('[OPS-17] a challenge is valid for one attempt, one login and five minutes', async () => {
  const { username, authenticator } = await createHolder();
  const [cookie, foreign] = [await beginLogin(username), await beginLogin(username)];
  const sign = (challenge: string, counter = 0) => authenticator.use({ ...getParty(shop), challenge, counter });
  const challenge = await readChallenge(shop, foreign);
  await readChallenge(shop, cookie);
  assert.equal(readError(await sendPasskey(shop, cookie, sign(challenge))), '401 wrong-passkey', 'of another login');
  assert.equal(readError(await sendPasskey(shop, cookie, sign(challenge))), '401 challenge-expired', 'used');
  assert.equal((await sendPasskey(shop, foreign, sign(challenge))).status, 200);
  assert.equal(readError(await sendPasskey(shop, foreign, sign(challenge))), '401 login-expired', 'replayed');
  const late = await readChallenge(shop, cookie);
  await moveClock(301);
  assert.equal(readError(await sendPasskey(shop, cookie, sign(late))), '401 challenge-expired');
  assert.equal((await logInWithPasskey(shop, cookie, authenticator)).status, 200);
});

test('[OPS-17] refuses a passkey whose counter does not grow', async () => {
  const { username, authenticator } = await createHolder();
  const use = async (counter: number): Promise<number> =>
    (await logInWithPasskey(shop, await beginLogin(username), authenticator, { counter })).status;
  assert.deepEqual([await use(5), await use(5), await use(4), await use(0), await use(6)], [200, 401, 401, 401, 200]);
});

test('[OPS-17] refuses a new passkey of another origin or challenge', async () => {
  const token = await logIn(await createMember());
  const authenticator = createSoftwareAuthenticator();
  const add = (changed: object) => addPasskey(shop, { token, authenticator, changed });
  assert.equal(readError(await add({ origin: 'https://elsewhere.example' })), '400 wrong-passkey');
  assert.equal(readError(await add({ domain: 'elsewhere.example' })), '400 wrong-passkey');
  assert.equal(readError(await add({ challenge: 'A'.repeat(43) })), '400 wrong-passkey');
  const { challenge } = { challenge: textAt((await requestPasskeyOptions(shop, token)).body, 'challenge') };
  const body = { name: 'Late', credential: authenticator.create({ ...getParty(shop), challenge }) };
  await moveClock(301);
  assert.equal(readError(await shop.api('POST', '/second-factor/passkeys', { token, body })), '409 challenge-expired');
  assert.deepEqual(listAt(await readState(token), 'passkeys'), []);
  assert.equal(await openBackOffice(token), 403);
});

test('[OPS-17] removal needs a recent password, and the last one closes the back office', async () => {
  const { username, token, authenticator } = await createHolder();
  await addPasskey(shop, { token, authenticator: createSoftwareAuthenticator(), name: 'Second' });
  const ids = listAt(await readState(token), 'passkeys').map((passkey) => textAt(passkey, 'id'));
  const remove = (id: string | undefined, as = token, password: string | null = null) =>
    shop.api('DELETE', `/second-factor/passkeys/${id}`, { token: as, password });
  assert.equal(readError(await remove(ids[0], owner)), '404 not-found', 'of another account');
  await moveClock(16 * 60);
  assert.equal(readError(await remove(ids[0])), '401 reauth');
  assert.equal(readError(await remove(ids[0], token, PASSWORD)), '403 factor-not-confirmed');
  await moveClock(0);
  assert.equal((await remove(ids[0])).status, 200);
  assert.equal(await openBackOffice(token), 200);
  const cookie = await beginLogin(username);
  assert.equal(readError(await logInWithPasskey(shop, cookie, authenticator)), '401 wrong-passkey', 'removed');
  assert.equal((await remove(ids[1])).status, 200);
  assert.equal(await openBackOffice(token), 403);
  assert.equal(numberAt(await readState(token), 'recovery_codes_left'), 0);
  assert.equal((await enterPassword(shop, username)).status, 200, 'a password is enough again');
});

test('[OPS-17] recovery codes are replaced in the session that set a passkey up', async () => {
  const { token, recoveryCodes } = await createHolder();
  const replaced = await shop.api('POST', '/second-factor/recovery-codes', { token, body: {}, password: null });
  assert.equal(replaced.status, 200, JSON.stringify(replaced.body));
  assert.notEqual(textAt(replaced.body, 'recovery_codes', 0), recoveryCodes[0]);
});

test('[OPS-17] an app that is removed leaves passkeys and recovery codes', async () => {
  const username = await createMember();
  const { token, recoveryCodes } = await setUpApp(shop, username);
  const authenticator = createSoftwareAuthenticator();
  assert.equal((await addPasskey(shop, { token, authenticator })).status, 201);
  const body = { code: recoveryCodes[0] };
  assert.equal((await shop.api('POST', '/second-factor/remove', { token, body })).status, 200);
  assert.equal(await openBackOffice(token), 200);
  assert.equal(numberAt(await readState(token), 'recovery_codes_left'), 9);
  assert.equal((await logInWithPasskey(shop, await beginLogin(username), authenticator)).status, 200);
});

test('[OPS-17] a challenge of one process is accepted by another, once', async () => {
  const { username, authenticator } = await createHolder();
  const other = await startSecondProcess(shop, { SECOND_FACTOR: 'required', PUBLIC_URL: getParty(shop).origin });
  try {
    const cookie = await beginLogin(username);
    const credential = authenticator.use({ ...getParty(shop), challenge: await readChallenge(shop, cookie) });
    const send = async (url: string): Promise<number> => {
      const headers = { cookie, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ credential }) };
      return (await fetch(`${url}/api/users/login/passkey`, init)).status;
    };
    const statuses = await Promise.all([send(shop.url), send(other.url), send(other.url)]);
    assert.deepEqual(
      statuses.toSorted((left, right) => left - right),
      [200, 401, 401],
    );
  } finally {
    await other.stop();
  }
});

test('[OPS-17] wrong passkeys are limited as wrong codes are', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const token = readToken(await enterPassword(limited, 'staff'));
    const { authenticator, recoveryCodes } = await setUpPasskey(limited, token);
    const begin = async (): Promise<string> => readPendingLogin(await enterPassword(limited, 'staff'));
    const cookie = await begin();
    for (let tries = 0; tries < 5; tries += 1) {
      const wrong = await logInWithPasskey(limited, cookie, authenticator, { origin: 'https://elsewhere.example' });
      assert.equal(readError(wrong), '401 wrong-passkey');
    }
    assert.equal(readError(await logInWithPasskey(limited, cookie, authenticator)), '401 login-expired');
    assert.equal(readError(await logInWithPasskey(limited, await begin(), authenticator)), '429 too-often');
    assert.equal(readError(await enterCode(limited, await begin(), recoveryCodes[0] ?? '')), '429 too-often');
  } finally {
    await limited.stop();
  }
});
