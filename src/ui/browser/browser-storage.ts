/** Local storage. If the browser refuses access, nothing is stored and nothing fails. */
export const TOKEN_KEY = 'apple_user_token';
/**
 * Carries the token of a login without scripts. The script in the head moves it to local storage. With HTTPS its name has
 * a prefix that other hosts of the domain can't set, so that nobody is logged in to the account of somebody else.
 */
export const TOKEN_COOKIE = 'login_token';
export const HOST_PREFIX = '__Host-';
/** Id of the account that logged in last, until it logs out. Its session may have ended. Empty: not known. */
export const ACCOUNT_KEY = 'account';
export const CART_STEP_KEY = 'cart_step';
const COOKIE_MAX_AGE_S = 30 * 24 * 3600;
export const TIME_ZONE_COOKIE = 'time_zone';
/** JSON of the Billing form until the order is placed. */
export const BILLING_DRAFT_KEY = 'billing_draft';
/** Ids of recently viewed products, newest first, comma-separated. */
export const RECENT_KEY = 'recent_products';
/** Prefix, followed by the `clientId`: JSON of an unacknowledged message to support. */
export const UNSENT_PREFIX = 'unsent_message_';
/** `<region>|<country>|<name of the country>`. */
export const DELIVERY_KEY = 'delivery_place';
/** `<number of lines>@<time of the change>`: shows the cart dot and notifies other tabs. */
export const CART_MARK_KEY = 'cart_mark';
/** When the cart change in progress was sent, in ms. */
export const CART_CHANGING_KEY = 'cart_changing';
/** How long such a change may be in progress after its page was closed. */
export const CART_CHANGE_TIMEOUT_MS = 10_000;

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Entries whose key has the prefix. */
export function listStored(prefix: string): readonly (readonly [key: string, value: string])[] {
  try {
    return Object.entries<string>(localStorage).filter(([key]) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** Also as a cookie of `/cart`, so that the server renders the step. Null removes it. */
export function storeCartStep(step: 1 | 2 | 3 | null): void {
  writeStored(CART_STEP_KEY, step === null ? null : String(step));
  document.cookie = `${CART_STEP_KEY}=${step ?? ''}; path=/cart; samesite=lax; max-age=${step === null ? 0 : COOKIE_MAX_AGE_S}`;
}

/**
 * Stores the time zone in a cookie, so the server renders private pages with the right dates. Guests get no cookie.
 */
export function storeTimeZone(isSignedIn: boolean): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (isSignedIn)
    document.cookie = `${TIME_ZONE_COOKIE}=${timeZone}; path=/; samesite=lax; max-age=${COOKIE_MAX_AGE_S}`;
  else document.cookie = `${TIME_ZONE_COOKIE}=; path=/; samesite=lax; max-age=0`;
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is full or blocked: the current page still works.
  }
}
