/** Refusals of orders that staff create, in the words that staff need. */
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { ManualOrderResult } from '../checkout/order-placement.service.ts';
import { createCheckoutRefusal } from '../checkout/refusals.service.ts';

type Refused = Extract<ManualOrderResult, { ok: false }> | { readonly ok: false; readonly reason: 'busy' };

/** The response to an order that was not created. */
export function refuseManualOrder(refused: Refused): Refusal {
  switch (refused.reason) {
    case 'no-buyer':
      return createNotFound();
    case 'busy':
      return new Refusal(503, 'busy', 'The shop is busy. Try again in a minute', { retryAfterSeconds: 60 });
    case 'blocked':
      return new Refusal(403, 'blocked', 'This customer is blocked');
    case 'too-often':
      return new Refusal(429, 'too-often', 'You created or renewed 100 orders today. Try again later', {
        retryAfterSeconds: refused.retryAfterSeconds ?? 3_600,
      });
    case 'order-open':
      return new Refusal(409, 'order-open', 'This customer has another open order', {
        fields: refused.openOrderId === undefined ? {} : { order_id: refused.openOrderId },
      });
    default:
      return createCheckoutRefusal(refused);
  }
}
