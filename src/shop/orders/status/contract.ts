import { z } from 'zod';
import { manualWindows } from '../checkout/manual-window.ts';
import { order } from '../contract.ts';
import { filledText, id, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const byId = z.object({ id });
const linePosition = z.int().min(0).max(100_000);
/** A parcel by its number within the order. */
const parcel = z.object({ id, number: z.string().regex(/^[1-9]\d{0,4}$/) });
const oneOrder = z.object({ order });
/** The new total that the caller accepts. */
const acceptedTotal = usd.optional();
/** Numbers as people and scanners enter them: what is wrong with them is said beside the field of their line. */
const enteredSerials = z.array(text(100)).max(99);
/** Numbers of the units of a parcel, by position of their line. */
export const parcelSerials = z.array(z.object({ position: linePosition, numbers: enteredSerials })).max(500);
/** Tracking reference of the courier. Mails show it on one line. */
export const trackingReference = filledText(100).regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u);

export const orderStatusApi = {
  'POST /orders/{id}/cancel': {
    summary:
      'Cancels an order without a payment or with a permanently lost payment; its lines return to the cart. Idempotent',
    params: byId,
    response: oneOrder,
    refusals: { 404: 'not-found', 409: 'payment-live, not-cancellable, refunding, written-off' },
  },
  'POST /orders/{id}/requote': {
    summary:
      'Requotes an expired order or one with a permanently lost payment: same address, prices of now, new window. Another total is refused with both, old_total_usd and new_total_usd, until the request accepts it',
    params: byId,
    body: z.object({ expected_total_usd: acceptedTotal }),
    // Pages of earlier releases send none.
    isBodyOptional: true,
    response: oneOrder,
    refusals: {
      403: 'blocked',
      404: 'not-found',
      409: 'not-expired, refunding, written-off, order-open, repriced, withdrawn, not-delivered, weight-unknown, below-dust, sold-out, promo, reserve-limit',
      503: 'no-rate',
    },
  },
  'POST /support/orders/{id}/renew-price': {
    summary:
      'Staff: requotes an order that staff created, as its buyer could, with a chosen payment window; the buyer gets a mail',
    params: byId,
    body: z.object({ window: z.enum(manualWindows), expected_total_usd: acceptedTotal }),
    response: oneOrder,
    refusals: {
      403: 'forbidden, blocked',
      404: 'not-found',
      409: 'not-manual, not-expired, refunding, written-off, order-open, repriced, withdrawn, not-delivered, weight-unknown, below-dust, sold-out, promo, reserve-limit',
      503: 'no-rate',
    },
  },
  'POST /support/orders/{id}/cancel': {
    summary:
      'Staff: cancels an order that staff created and nobody paid, with an internal reason; the buyer gets a mail. Idempotent',
    params: byId,
    body: z.object({ reason: filledText(500) }),
    response: oneOrder,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'not-manual, payment-live, not-cancellable, refunding, written-off',
    },
  },
  'POST /orders/{id}/release-stock': {
    summary:
      'Staff: releases the reservation of an order without a seen payment, with an internal reason; the order expires and its buyer gets a mail',
    params: byId,
    body: z.object({ reason: filledText(500) }),
    response: oneOrder,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-reserved, payment-seen' },
  },
  'POST /orders/{id}/ship': {
    summary:
      'Staff: records a shipment of a paid order: of some units, or of all that are left; its buyer gets a mail. Repeats keep the first reference',
    params: byId,
    body: z.object({
      tracking_reference: trackingReference.optional(),
      carrier_id: id.optional(),
      /** Number of the shipment within the order: a repeat with it records nothing. Without it a repeat is found by its reference. */
      number: z.int().min(1).max(10_000).optional(),
      /** Units by position of their line, from 0; omitted: everything that is left. */
      lines: z
        .array(z.object({ position: linePosition, quantity: z.int().min(0).max(99) }))
        .max(500)
        .optional(),
      /** One for each unit whose product asks for a serial number or an IMEI. */
      serials: parcelSerials.optional(),
    }),
    response: oneOrder,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'not-paid, shipping-held, refunding, written-off, shipped-otherwise, shipment-exists, number-missing, unknown-carrier, too-many-units, nothing-to-ship, contract-withdrawn, serial-numbers, sold-out, promo',
    },
  },
  'PUT /orders/{id}/shipments/{number}': {
    summary: 'Staff: corrects carrier and tracking number of a recorded parcel; its buyer gets a mail. Idempotent',
    params: parcel,
    /** Omitted: none. */
    body: z.object({ tracking_reference: trackingReference.optional(), carrier_id: id.optional() }),
    response: oneOrder,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'no-shipment, unknown-carrier' },
  },
  'PUT /orders/{id}/shipments/{number}/serials': {
    summary:
      'Staff: replaces the serial numbers or IMEIs of a line of a recorded parcel, which may have none yet; seen are those that the caller saw. Idempotent',
    params: parcel,
    body: z.object({ position: linePosition, numbers: enteredSerials, seen: enteredSerials }),
    response: oneOrder,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'no-shipment, serial-numbers, serials-changed' },
  },
  'POST /orders/{id}/shipments/{number}/undo': {
    summary:
      'Staff: undoes a parcel that was recorded by mistake, unless the order is delivered or its units are refunded. Its units are left to ship again, and its buyer gets a mail. Idempotent',
    params: parcel,
    response: oneOrder,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'no-shipment, delivered, refunding, written-off, parcel-refunded, parcel-returning, parcel-returned',
    },
  },
  'POST /orders/{id}/deliver': {
    summary: 'Staff: marks a shipped order as delivered',
    params: byId,
    response: oneOrder,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-shipped' },
  },
  'POST /orders/{id}/settle': {
    summary: 'Staff: accepts the received amount as full payment, with an internal reason. Idempotent',
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
      'Staff: cancels an expired or free order, or one whose payment is permanently lost or only dust, for good, with an internal reason. Idempotent',
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
      'Staff: closes a shipped order with a lost payment, or an uncovered refund, as a loss, with an internal reason. Idempotent',
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
