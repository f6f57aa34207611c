import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preparePage } from '#src/platform/pages/browser/prepare-page.ts';
import { TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';
import { createTokenCookie } from './token-cookie.ts';

/** Prepares a page that has these cookies. @returns the stored token, and the cookie that the script sets */
function open(protocol: string, cookie: string) {
  const stored = new Map<string, string>();
  const document = { cookie, documentElement: { dataset: {} } };
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  preparePage({ document, storage, isHttps: protocol === 'https:', fetch: () => Promise.resolve(new Response()) });
  return { token: stored.get(TOKEN_KEY) ?? null, cookie: document.cookie };
}

const readPair = (line: string): string => line.split(';')[0] ?? '';

test('[ACC-04] [OPS-26] a page takes the token of a plain login, not one of another host', () => {
  const plain = createTokenCookie('abc-1', { url: 'http://127.0.0.1:3000/login' });
  assert.equal(plain, 'login_token=abc-1; Path=/; Max-Age=300; SameSite=Strict');
  assert.deepEqual(open('http:', `a=b; ${readPair(plain)}; c=d`), {
    token: 'abc-1',
    cookie: 'login_token=;path=/;max-age=0',
  });
  const secure = createTokenCookie('abc-2', { url: 'https://shop.example/login' });
  assert.equal(secure, '__Host-login_token=abc-2; Path=/; Max-Age=300; SameSite=Strict; Secure');
  assert.deepEqual(open('https:', `login_token=evil; ${readPair(secure)}`), {
    token: 'abc-2',
    cookie: '__Host-login_token=;path=/;max-age=0;secure',
  });
  assert.equal(open('https:', 'login_token=evil').token, null);
  assert.equal(open('https:', '').token, null);
});
