import { TOKEN_COOKIE } from '#src/ui/browser-storage.ts';

const MAX_AGE_S = 300;

/**
 * The Set-Cookie header that carries the token of a login to the next page. Scripts can read it, as they can read local
 * storage, where the next page moves it.
 */
export function createTokenCookie(token: string, { url }: Pick<Request, 'url'>): string {
  const secure = new URL(url).protocol === 'https:' ? '; Secure' : '';
  return `${TOKEN_COOKIE}=${token}; Path=/; Max-Age=${MAX_AGE_S}; SameSite=Strict${secure}`;
}
