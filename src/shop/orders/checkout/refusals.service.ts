/** Responses to refused checkouts, of buyers and of staff. */
import { Refusal } from '#src/platform/http/call.ts';
import type { CheckoutRejection } from './checkout-error.ts';

const refusals: Readonly<Record<CheckoutRejection['reason'], Refusal>> = {
  'empty-cart': new Refusal(400, 'empty-cart', 'Your cart is empty'),
  'below-dust': new Refusal(400, 'below-dust', 'The total is too small to pay in bitcoin'),
  'country-not-in-region': new Refusal(400, 'country-not-in-region', 'This country is not in the selected region', {
    fields: { country: 'is not in the selected region' },
  }),
  'not-delivered': new Refusal(400, 'not-delivered', 'We do not deliver to this country. Choose another country', {
    fields: { country: 'is not delivered to' },
  }),
  postcode: new Refusal(400, 'postcode', 'This is not a postcode of the selected country', {
    fields: { postcode: 'is not a postcode of the selected country' },
  }),
  phone: new Refusal(400, 'phone', 'This is not a telephone number', {
    fields: { phone: 'is not a telephone number' },
  }),
  'vat-number': new Refusal(400, 'vat-number', 'This is not a VAT number of the selected country', {
    fields: { vatNumber: 'is not a VAT number of the selected country' },
  }),
  withdrawn: new Refusal(409, 'withdrawn', 'Some items are no longer available. Remove them to continue'),
  repriced: new Refusal(409, 'repriced', 'Some prices have changed. Review your cart to continue'),
  promo: new Refusal(409, 'promo', 'The promo code is no longer valid'),
  'order-open': new Refusal(409, 'order-open', 'Your previous order is not paid yet. Complete it first'),
  blocked: new Refusal(403, 'blocked', 'This account is blocked'),
  'no-rate': new Refusal(503, 'no-rate', 'No bitcoin price is available right now. Try again in a minute', {
    retryAfterSeconds: 60,
  }),
  'sold-out': new Refusal(409, 'sold-out', 'Some items are sold out. Remove them to continue'),
  'reserve-limit': new Refusal(409, 'reserve-limit', 'Too many items are reserved already'),
  'too-often': new Refusal(
    429,
    'too-often',
    'Too many orders were placed or renewed from your account or network today. Try again later',
  ),
  'bad-key': new Refusal(400, 'invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters'),
  'key-reused': new Refusal(422, 'idempotency-key-reused', 'Idempotency-Key was used with a different request'),
};

/** The response to a refused checkout. */
export function createCheckoutRefusal({ reason, words: message, retryAfterSeconds }: CheckoutRejection): Refusal {
  const refusal = refusals[reason];
  if (message === undefined && retryAfterSeconds === undefined) return refusal;
  const more = {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(reason === 'promo' && message !== undefined ? { fields: { promoError: message } } : {}),
  };
  return new Refusal(refusal.status, refusal.code, message ?? refusal.message, more);
}
