import { call } from '#src/web/call.ts';
import { inTurn } from '#src/web/cart.ts';

/** Applies a promo code, in place of one applied before. Throws an ApiFailure. */
export const applyPromo = (code: string): Promise<void> =>
  inTurn(() => call('POST /promocodes/apply', { body: { code } }));

/** Removes the promo code. Throws an ApiFailure. */
export const removePromo = (): Promise<void> => inTurn(() => call('DELETE /promocodes/apply'));

/** The visitor has seen what the lines cost now. Throws an ApiFailure. */
export const acceptPrices = (): Promise<void> => inTurn(() => call('POST /cart/accept-prices'));
