import { HOST_PREFIX, TOKEN_COOKIE } from '#src/ui/browser/browser-storage.ts';

const MAX_AGE_S = 300;

/**
 * The Set-Cookie header that carries the token of a login to the next page. Scripts can read it, as they can read local
 * storage, where the next page moves it.
 */
export function createTokenCookie(token: string, { url }: Pick<Request, 'url'>): string {
  const isHttps = new URL(url).protocol === 'https:';
  const name = isHttps ? HOST_PREFIX + TOKEN_COOKIE : TOKEN_COOKIE;
  return `${name}=${token}; Path=/; Max-Age=${MAX_AGE_S}; SameSite=Strict${isHttps ? '; Secure' : ''}`;
}
