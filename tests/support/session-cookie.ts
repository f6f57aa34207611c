import type { TestShop } from './shop.ts';

/** Logs a demo account in as a browser does. Returns the cookies that its pages need. */
export async function readSessionCookie({ api }: Pick<TestShop, 'api'>, username: string): Promise<string> {
  const { headers } = await api('POST', '/users/login', {
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username, password: 'crypto-market' },
  });
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
