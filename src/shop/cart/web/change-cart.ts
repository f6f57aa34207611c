import { call } from '#src/storefront/call.ts';
import { cartSend } from '#src/storefront/cart/cart.ts';

/** Applies a promo code, in place of one applied before. Throws an ApiFailure. */
export const applyPromo = (code: string): Promise<void> =>
  cartSend(() => call('POST /promocodes/apply', { body: { code } }));

/** Removes the promo code. Throws an ApiFailure. */
export const removePromo = (): Promise<void> => cartSend(() => call('DELETE /promocodes/apply'));

/** The visitor has seen what the lines cost now. Throws an ApiFailure. */
export const acceptPrices = (): Promise<void> => cartSend(() => call('POST /cart/accept-prices'));
