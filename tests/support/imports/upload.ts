import assert from 'node:assert/strict';
import { numberAt, textAt } from '../read-json.ts';
import type { ApiResponse } from '../api-client.ts';
import type { TestShop } from '../shop.ts';
import { waitUntil } from '../wait-until.ts';

type ApiShop = Pick<TestShop, 'url' | 'api'>;

export async function logIn(shop: ApiShop, username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}

/** Uploads a file as staff do. */
export async function uploadCsv(
  shop: ApiShop,
  token: string | null,
  content: string | Uint8Array,
  filename = 'products.csv',
): Promise<Omit<ApiResponse, 'headers'>> {
  const response = await fetch(`${shop.url}/api/imports?${String(new URLSearchParams({ filename }))}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: Buffer.from(content),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

export async function readImport(shop: ApiShop, token: string, id: string): Promise<unknown> {
  const { status, body } = await shop.api('GET', `/imports/${id}`, { token });
  assert.equal(status, 200);
  return body;
}

/** Waits until an import has one of these states. */
export async function waitForState(shop: ApiShop, token: string, id: string, ...states: string[]): Promise<unknown> {
  let found: unknown;
  await waitUntil(async () => {
    found = await readImport(shop, token, id);
    return states.includes(textAt(found, 'state'));
  });
  return found;
}

/** Uploads a file and waits for its check. */
export async function checkCsv(shop: ApiShop, token: string, content: string | Uint8Array) {
  const uploaded = await uploadCsv(shop, token, content);
  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body));
  const id = textAt(uploaded.body, 'id');
  const found = await waitForState(shop, token, id, 'checked', 'refused', 'failed');
  return { id, found, state: textAt(found, 'state'), errors: numberAt(found, 'errors') };
}
