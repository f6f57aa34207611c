/** What the shop keeps in local storage. A browser may refuse it; then nothing is kept and nothing breaks. */
export const TOKEN_KEY = 'apple_user_token';
export const CART_STEP_KEY = 'cart_step';
const STEP_MAX_AGE_S = 30 * 24 * 3600;
/** JSON of what was typed in Billing, until the order is made. */
export const BILLING_DRAFT_KEY = 'billing_draft';
/** Ids of the products that were looked at, newest first, with commas between them. */
export const RECENT_KEY = 'recent_products';
/** `<region>|<country>|<name of the country>`. */
export const DELIVERY_KEY = 'delivery_place';
/** `<number of lines>@<time of the change>`: the dot of the cart, and word for other tabs that it changed. */
export const CART_MARK_KEY = 'cart_mark';
/** When a change of the cart was sent that is not answered yet, in ms. */
export const CART_CHANGING_KEY = 'cart_changing';
/** As long as such a change may be under way when the page that sent it is gone. */
export const CHANGING_MS = 10_000;

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Also as a cookie of `/cart`, so that the server renders the step. Null forgets it. */
export function storeCartStep(step: 1 | 2 | 3 | null): void {
  writeStored(CART_STEP_KEY, step === null ? null : String(step));
  document.cookie = `${CART_STEP_KEY}=${step ?? ''}; path=/cart; samesite=lax; max-age=${step === null ? 0 : STEP_MAX_AGE_S}`;
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is full or forbidden: the page in hand still works.
  }
}
