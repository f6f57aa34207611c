/** An authenticator app, and logins with it. */
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { listAt, textAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';

const STEP_MS = 30_000;
const PASSWORD = 'crypto-market';

/** The code that an app shows. @param steps later than now */
export const showCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** A code that the app does not show around now. */
export function showWrongCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => showCode(secret, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ?? '';
}

export interface TwoStepAccount {
  readonly username: string;
  /** Session in which the app was set up. */
  readonly token: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Value of the Cookie header after a correct password. */
export function readPendingLogin({ status, headers, body }: ApiResponse): string {
  assert.deepEqual([status, textAt(body, 'error', 'code')], [401, 'second-factor']);
  const cookie = headers.getSetCookie().find((one) => one.startsWith('pending_login='));
  return cookie?.split(';')[0] ?? assert.fail('no cookie of a pending login');
}

export const enterPassword = (
  shop: Pick<TestShop, 'api'>,
  username: string,
  password = PASSWORD,
): Promise<ApiResponse> => shop.api('POST', '/users/login', { body: { username, password } });

export const enterCode = (shop: Pick<TestShop, 'api'>, cookie: string, code: string): Promise<ApiResponse> =>
  shop.api('POST', '/users/login/second-factor', { cookie, body: { code } });

/** Sets up an app for an account that logs in with a password only. Uses a code of the step before. */
export async function setUpApp(
  shop: Pick<TestShop, 'api'>,
  username: string,
  password = PASSWORD,
): Promise<TwoStepAccount> {
  const token = textAt((await enterPassword(shop, username, password)).body, 'tokens', 'accessToken');
  const started = await shop.api('POST', '/second-factor', { token });
  assert.equal(started.status, 200, JSON.stringify(started.body));
  const secret = textAt(started.body, 'secret');
  const confirm = () => shop.api('POST', '/second-factor/confirm', { token, body: { code: showCode(secret, -1) } });
  let confirmed = await confirm();
  // A step ended between the code and its check.
  if (confirmed.status === 400) confirmed = await confirm();
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  const recoveryCodes = listAt(confirmed.body, 'recovery_codes').map((code) => String(code));
  return { username, token, secret, recoveryCodes };
}
