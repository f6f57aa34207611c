import { createMissingScope, createReauthenticationRequired } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { PriceRefusal } from '#src/shop/price-reduction.ts';

/** The response to a change of prices that the caller may not make now. */
export const refusePrices = (reason: PriceRefusal): Refusal =>
  reason === 'reauth' ? createReauthenticationRequired() : createMissingScope('prices:write');
