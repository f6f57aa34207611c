import { call } from '#src/storefront/call.ts';
import { sendCartChange } from '#src/storefront/cart/cart.ts';

/** Applies a promo code, in place of one applied before. Throws an ApiFailure. */
export const applyPromo = (code: string): Promise<void> =>
  sendCartChange(() => call('POST /promocodes/apply', { body: { code } }));

/** Removes the promo code. Throws an ApiFailure. */
export const removePromo = (): Promise<void> => sendCartChange(() => call('DELETE /promocodes/apply'));

/** The visitor has seen what the lines cost now. Throws an ApiFailure. */
export const acceptPrices = (): Promise<void> => sendCartChange(() => call('POST /cart/accept-prices'));
