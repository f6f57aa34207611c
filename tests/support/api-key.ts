/** API keys of the demo owner. */
import assert from 'node:assert/strict';
import type { Scope } from '#src/shop/api-keys/scope.ts';
import { textAt } from './read-json.ts';
import type { TestShop } from './shop.ts';

export async function getOwnerToken(shop: TestShop): Promise<string> {
  const body = { username: 'owner', password: 'crypto-market' };
  return textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
}

export async function createApiKey(
  shop: TestShop,
  owner: string,
  scopes: readonly Scope[],
  expiresInDays: number | null = null,
): Promise<{ readonly id: string; readonly key: string }> {
  const body = { name: 'ERP', scopes, expires_in_days: expiresInDays };
  const created = await shop.api('POST', '/api-keys', { token: owner, body });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return { id: textAt(created.body, 'api_key', 'id'), key: textAt(created.body, 'key') };
}
