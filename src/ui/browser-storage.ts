/** What the shop keeps in local storage. A browser may refuse it; then nothing is kept and nothing breaks. */
export const TOKEN_KEY = 'apple_user_token';
export const CART_STEP_KEY = 'cart_step';
const COOKIE_MAX_AGE_S = 30 * 24 * 3600;
export const TIME_ZONE_COOKIE = 'time_zone';
/** JSON of what was typed in Billing, until the order is made. */
export const BILLING_DRAFT_KEY = 'billing_draft';
/** Ids of the products that were looked at, newest first, with commas between them. */
export const RECENT_KEY = 'recent_products';
/** With the message's `clientId` behind it: JSON of a message to support that the shop has not stored yet. */
export const UNSENT_PREFIX = 'unsent_message_';
/** `<region>|<country>|<name of the country>`. */
export const DELIVERY_KEY = 'delivery_place';
/** `<number of lines>@<time of the change>`: the dot of the cart, and word for other tabs that it changed. */
export const CART_MARK_KEY = 'cart_mark';
/** When a change of the cart was sent that is not answered yet, in ms. */
export const CART_CHANGING_KEY = 'cart_changing';
/** As long as such a change may be under way when the page that sent it is gone. */
export const CART_CHANGE_TIMEOUT_MS = 10_000;

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keys with the prefix, and what is stored under them. */
export function listStored(prefix: string): readonly (readonly [key: string, value: string])[] {
  try {
    return Object.entries<string>(localStorage).filter(([key]) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** Also as a cookie of `/cart`, so that the server renders the step. Null forgets it. */
export function storeCartStep(step: 1 | 2 | 3 | null): void {
  writeStored(CART_STEP_KEY, step === null ? null : String(step));
  document.cookie = `${CART_STEP_KEY}=${step ?? ''}; path=/cart; samesite=lax; max-age=${step === null ? 0 : COOKIE_MAX_AGE_S}`;
}

/**
 * Tells the server the browser's time zone, so that the pages of a signed-in user come with their dates as they stay.
 * Looking around sets no cookie.
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
    // Storage is full or forbidden: the page in hand still works.
  }
}
