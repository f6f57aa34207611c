/** Accounts with a passkey, and logins with it, over HTTP. */
import assert from 'node:assert/strict';
import { listAt, textAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';
import { createSoftwareAuthenticator } from './software-authenticator.ts';
import type { SignRequest, SoftwareAuthenticator } from './software-authenticator.ts';

type Api = Pick<TestShop, 'api' | 'url'>;

/** Without PUBLIC_URL a shop is at localhost. */
export const getParty = ({ url }: Pick<TestShop, 'url'>) => ({
  origin: `http://localhost:${new URL(url).port}`,
  domain: 'localhost',
});

export const requestPasskeyOptions = (shop: Api, token: string): Promise<ApiResponse> =>
  shop.api('POST', '/second-factor/passkey-options', { token });

export interface AddRequest {
  readonly token: string;
  readonly authenticator: SoftwareAuthenticator;
  readonly name?: string;
  readonly changed?: Partial<SignRequest>;
}

/** Adds a passkey. @param changed what the authenticator signs instead */
export async function addPasskey(
  shop: Api,
  { token, authenticator, name = 'Key', changed = {} }: AddRequest,
): Promise<ApiResponse> {
  const options = await requestPasskeyOptions(shop, token);
  assert.equal(options.status, 200, JSON.stringify(options.body));
  const request = { ...getParty(shop), challenge: textAt(options.body, 'challenge'), ...changed };
  return shop.api('POST', '/second-factor/passkeys', {
    token,
    body: { name, credential: authenticator.create(request) },
  });
}

/** Sets a first passkey up. */
export async function setUpPasskey(shop: Api, token: string) {
  const authenticator = createSoftwareAuthenticator();
  const { status, body } = await addPasskey(shop, { token, authenticator });
  assert.equal(status, 201, JSON.stringify(body));
  return { authenticator, recoveryCodes: listAt(body, 'recovery_codes').map((code) => String(code)) };
}

export const requestLoginOptions = (shop: Api, cookie: string): Promise<ApiResponse> =>
  shop.api('POST', '/users/login/second-factors', { cookie });

export async function readChallenge(shop: Api, cookie: string): Promise<string> {
  const { status, body } = await requestLoginOptions(shop, cookie);
  assert.equal(status, 200, JSON.stringify(body));
  return textAt(body, 'passkey_options', 'challenge');
}

export const sendPasskey = (shop: Pick<TestShop, 'api'>, cookie: string, credential: unknown): Promise<ApiResponse> =>
  shop.api('POST', '/users/login/passkey', { cookie, body: { credential } });

/** Completes a login. @param changed what the authenticator signs instead */
export async function logInWithPasskey(
  shop: Api,
  cookie: string,
  authenticator: SoftwareAuthenticator,
  changed: Partial<SignRequest> = {},
): Promise<ApiResponse> {
  const challenge = await readChallenge(shop, cookie);
  return sendPasskey(shop, cookie, authenticator.use({ ...getParty(shop), challenge, ...changed }));
}
