/**
 * Runs before the first paint. The build inlines this module in the head (scripts/build/inline-scripts.ts), so its imports
 * must be small. The HTML itself is the same for every visitor.
 */
import {
  ACCOUNT_KEY,
  CART_CHANGING_KEY,
  CART_CHANGE_TIMEOUT_MS,
  CART_MARK_KEY,
  HOST_PREFIX,
  RECENT_KEY,
  TOKEN_COOKIE,
  TOKEN_KEY,
} from '#src/ui/browser/browser-storage.ts';
import type { EarlyAnswers } from './prefetched-responses.ts';

const PREFETCH_TIMEOUT_MS = 15_000;

/** What the script uses of the page. */
export interface PreparedPage {
  readonly document: { cookie: string; readonly documentElement: { readonly dataset: DOMStringMap } };
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly isHttps: boolean;
  readonly fetch: typeof fetch;
}

/** Stores the token of a login that a plain form sent, and removes its cookie. */
function takeTokenOfLogin({ document, storage, isHttps }: PreparedPage): void {
  const name = `${isHttps ? HOST_PREFIX : ''}${TOKEN_COOKIE}=`;
  const [token] = (`; ${document.cookie}`.split(`; ${name}`)[1] ?? '').split(';');
  if (!token) return;
  storage.setItem(TOKEN_KEY, token);
  storage.setItem(ACCOUNT_KEY, '');
  document.cookie = `${name};path=/;max-age=0${isHttps ? ';secure' : ''}`;
}

/** The cart is not prefetched while a change of the previous page is in progress. */
function listPrefetched(token: string | null, isCartFilled: boolean, storage: PreparedPage['storage']): string[] {
  const isChanging = Date.now() - Number(storage.getItem(CART_CHANGING_KEY)) <= CART_CHANGE_TIMEOUT_MS;
  return [...(token ? ['/users/user', '/orders'] : []), ...((token ?? isCartFilled) && !isChanging ? ['/cart'] : [])];
}

/** Sets attributes for the styles: signed in, cart not empty, products recently viewed. Then it prefetches user, orders and cart. */
export function preparePage(page: PreparedPage): EarlyAnswers {
  takeTokenOfLogin(page);
  const { storage, fetch } = page;
  const { dataset } = page.document.documentElement;
  const token = storage.getItem(TOKEN_KEY);
  const isCartFilled = Number.parseInt(storage.getItem(CART_MARK_KEY) ?? '') > 0;
  if (token) dataset.auth = '';
  if (isCartFilled) dataset.cart = '';
  if (storage.getItem(RECENT_KEY)) dataset.recent = '';
  const headers = { accept: 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answers: EarlyAnswers['answers'] = {};
  for (const path of listPrefetched(token, isCartFilled, storage)) {
    const answer = fetch(`/api${path}`, { headers, signal: AbortSignal.timeout(PREFETCH_TIMEOUT_MS) }).then(
      (response) => [response, Date.now()] as const,
    );
    // Whoever takes the answer handles the failure.
    answer.catch(() => undefined);
    answers[path] = answer;
  }
  return { token, answers };
}

/** Called by the inlined script. Without storage the page works as for a guest. */
export function run(): void {
  try {
    const page = { document, storage: localStorage, isHttps: location.protocol === 'https:', fetch };
    window.earlyAnswers = preparePage(page);
  } catch {
    // The browser refuses access to the storage.
  }
}
