import { z } from 'zod';
import { order } from '../contract.ts';
import { filledText, id } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const byId = z.object({ id });
const oneOrder = z.object({ order });
/** Tracking reference of the courier. Mails show it on one line. */
const trackingReference = filledText(100).regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u);

export const orderStatusApi = {
  'POST /orders/{id}/cancel': {
    summary:
      'Gives an order up while nothing has been paid, or after the payment was lost for good; its lines return to the cart. Cancelled already is done',
    params: byId,
    response: oneOrder,
    refusals: { 404: 'not-found', 409: 'payment-live, not-cancellable, refunding, written-off' },
  },
  'POST /orders/{id}/requote': {
    summary:
      'Quotes an order again that has expired, or whose payment was lost for good: the same dollars and address, the present rate, another window',
    params: byId,
    response: oneOrder,
    refusals: {
      404: 'not-found',
      409: 'not-expired, refunding, written-off, order-open, sold-out, promo, reserve-limit',
      503: 'no-rate',
    },
  },
  'POST /orders/{id}/release-stock': {
    summary:
      'Staff: ends the reservation of an order of which no payment was seen, with a reason that staff alone read; the order expires and its buyer gets a mail',
    params: byId,
    body: z.object({ reason: filledText(500) }),
    response: oneOrder,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-reserved, payment-seen' },
  },
  'POST /orders/{id}/ship': {
    summary: 'Staff: a paid order is on its way; its buyer gets a mail. The reference named first holds',
    params: byId,
    body: z.object({ tracking_reference: trackingReference.optional() }),
    response: oneOrder,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'not-paid, shipping-held, refunding, written-off, shipped-otherwise, sold-out, promo',
    },
  },
  'POST /orders/{id}/deliver': {
    summary: 'Staff: an order that was sent has arrived',
    params: byId,
    response: oneOrder,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-shipped' },
  },
  'POST /orders/{id}/settle': {
    summary:
      'Staff: what was received is taken for the whole, with a reason that staff alone read; settled already is done',
    params: byId,
    body: z.object({ reason: filledText(500) }),
    response: oneOrder,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'already-paid, nothing-received, not-confirmed, refunding, refunded, written-off, sold-out, promo',
    },
  },
  'POST /orders/{id}/give-up': {
    summary:
      'Staff: an order whose payment a reorganisation took back for good, or that received only dust, is cancelled, with a reason that staff alone read; cancelled already is done',
    params: byId,
    body: z.object({ reason: filledText(500) }),
    response: oneOrder,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'not-taken-back, payment-live, refunding, written-off, shipped',
    },
  },
  'POST /orders/{id}/close-as-loss': {
    summary:
      'Staff: an order that was sent and whose payment is lost, or whose refund nothing covers, is closed as a loss, with a reason that staff alone read; closed already is done',
    params: byId,
    body: z.object({ reason: filledText(500) }),
    response: oneOrder,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'not-shipped, already-paid, refunded, payment-live, refunding, written-off',
    },
  },
} as const satisfies Contract;
