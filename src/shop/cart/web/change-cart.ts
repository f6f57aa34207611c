import { call } from '#src/storefront/call.ts';
import { sendCartChange } from '#src/storefront/cart/cart.ts';

/** Applies a promo code, replacing the applied one. Throws an ApiFailure. */
export const applyPromo = (code: string): Promise<void> =>
  sendCartChange(() => call('POST /promocodes/apply', { body: { code } }));

/** Removes the promo code. Throws an ApiFailure. */
export const removePromo = (): Promise<void> => sendCartChange(() => call('DELETE /promocodes/apply'));

/** Accepts the current prices. Throws an ApiFailure. */
export const acceptPrices = (): Promise<void> => sendCartChange(() => call('POST /cart/accept-prices'));
