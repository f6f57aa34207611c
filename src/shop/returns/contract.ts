import { z } from 'zod';
import { filledText, id, instant, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { returnCauses, returnStates } from './kinds.ts';
import { returnActions } from './return-state.ts';

const MAX_UNITS = 99;

const returnLine = z.object({
  position: z.int().nonnegative(),
  name: z.string(),
  sku: z.string().nullable(),
  quantity: z.int().positive(),
  /** Of the quantity: never shipped. */
  cancelled: z.int().nonnegative(),
  /** Arrived at the shop. */
  received: z.int().nonnegative(),
  /** Conditions of the units that arrived. */
  restocked: z.int().nonnegative(),
  damaged: z.int().nonnegative(),
  sent_back: z.int().nonnegative(),
  condition: z.string().nullable(),
  /** What the shop keeps of the price, with tax, and why. */
  deduction_usd: usd,
  deduction_reason: z.string().nullable(),
  /** Numbers of the units that arrived, and whether the buyer gets the unit back. */
  serials: z.array(z.object({ number: z.string(), is_sent_back: z.boolean() })),
  /** The variant that the buyer wants instead; null: none, or it was deleted. */
  wanted: z.string().nullable(),
  /** Units of the line were shipped with a serial number, so that each arriving unit needs its own. */
  has_serials: z.boolean(),
  /** Units that were shipped without one and have not arrived. */
  without_serial: z.int().nonnegative(),
});

export const returnPicture = z.object({
  id,
  /** Of the large file, in pixels. */
  width: z.int().nonnegative(),
  height: z.int().nonnegative(),
});
export type ReturnPicture = z.input<typeof returnPicture>;

export const oneReturn = z.object({
  id,
  /** Printed on the slip, such as R-7K2M-9QTX. */
  reference: z.string(),
  order_id: id,
  cause: z.enum(returnCauses),
  state: z.enum(returnStates),
  requested_at: instant,
  /** As the buyer wrote it; null: none, or erased. */
  reason: z.string().nullable(),
  decided_at: instant.nullable(),
  sent_at: instant.nullable(),
  proof: z.string().nullable(),
  received_at: instant.nullable(),
  inspected_at: instant.nullable(),
  closed_at: instant.nullable(),
  /** How it ended: refunded, exchanged, not-refunded, void, cancelled or refused. */
  outcome: z.string().nullable(),
  /** Why it was refused, or closed without a refund. */
  decision: z.string().nullable(),
  label_url: z.string().nullable(),
  /** The label that staff uploaded; null: none. */
  label_file: z.object({ type: z.enum(['application/pdf', 'image/jpeg']), bytes: z.int().positive() }).nullable(),
  /** Of a defect, oldest first, at most five. */
  pictures: z.array(returnPicture),
  /** The buyer can add and remove pictures. */
  pictures_change: z.boolean(),
  refund_due_at: instant.nullable(),
  deadline: z.enum(['none', 'waiting', 'withheld', 'soon', 'overdue']),
  ticket_id: id.nullable(),
  version: z.int().positive(),
  /** What the caller can do now. */
  actions: z.array(z.enum(returnActions)),
  lines: z.array(returnLine),
});
export type Return = z.input<typeof oneReturn>;

/** The order that an exchange created, and how it is paid. */
export const exchangedOrder = z.object({
  order_id: id,
  order_number: z.string(),
  /**
   * paid: the credit, and what the buyer paid besides, cover it. waiting: until `pay_by` for the difference. ended: the
   * difference was not paid, so the credit is refunded.
   */
  state: z.enum(['paid', 'waiting', 'ended']),
  credit_usd: usd,
  total_usd: usd,
  /** What the buyer pays besides the credit. */
  pays_usd: usd,
  /** What is left of the credit. It is refunded. */
  left_usd: usd,
  /** Null unless it waits. */
  pay_by: instant.nullable(),
});

/** A return with where to send it. */
const ownReturn = z.object({
  return: oneReturn,
  order_number: z.string(),
  /** In lines. */
  return_address: z.string(),
  /** The order that an exchange created; null: none. */
  exchanged: exchangedOrder.nullable(),
});
export type OwnReturn = z.input<typeof ownReturn>;

const returnsOfOrder = z.object({
  /** Oldest first. */
  returns: z.array(oneReturn),
  /** Why a return can be started now; empty if it can't. A withdrawal is stated at /withdrawal. */
  causes: z.array(z.enum(['defect', 'courtesy'])),
  /** Shipped units that are neither refunded nor in a return. */
  lines: z.array(
    z.object({
      position: z.int().nonnegative(),
      name: z.string(),
      quantity: z.int().positive(),
      /** Other variants on sale, which the buyer may want instead. */
      variants: z.array(z.object({ variant_id: id, name: z.string() })),
    }),
  ),
  /** The return whose exchange created this order; null: it was ordered. */
  exchange_of: z.object({ return_id: id, reference: z.string(), order_id: id, order_number: z.string() }).nullable(),
});
export type ReturnsOfOrder = z.input<typeof returnsOfOrder>;

export const proofText = filledText(200);
const byId = z.object({ id });
const missing = { 404: 'not-found' } as const;

export const returnsApi = {
  'GET /orders/{id}/returns': {
    summary: 'Returns of an order, and which units can be returned for a defect or by courtesy',
    params: byId,
    response: returnsOfOrder,
    refusals: missing,
  },
  'POST /orders/{id}/returns': {
    summary: 'Requests a return of shipped units for a defect, or by courtesy as long as the shop allows it',
    params: byId,
    body: z.object({
      cause: z.enum(['defect', 'courtesy']),
      lines: z
        .array(
          z.object({
            position: z.int().min(0).max(100_000),
            quantity: z.int().min(1).max(MAX_UNITS),
            /** The variant that the buyer wants instead; omitted: a refund. */
            wanted_variant_id: id.optional(),
          }),
        )
        .min(1)
        .max(100)
        .refine((all) => new Set(all.map(({ position }) => position)).size === all.length, {
          message: 'must name each line once',
        }),
      /** What is wrong; required. */
      reason: filledText(2000),
    }),
    status: 201,
    response: ownReturn,
    failureMessage: 'The return was not requested',
    refusals: { 404: 'not-found', 409: 'not-returnable, too-many-units, too-many, not-on-sale' },
  },
  'GET /returns/{id}': {
    summary: 'A return of the caller, with the address to send it to',
    params: byId,
    response: ownReturn,
    refusals: missing,
  },
  'POST /returns/{id}/cancel': {
    summary: 'Cancels a return that was not sent. A withdrawal can’t be taken back',
    params: byId,
    response: ownReturn,
    refusals: { 404: 'not-found', 409: 'not-possible' },
  },
  'POST /returns/{id}/sent': {
    summary: 'Names the proof of sending, such as a tracking number; again to correct it',
    params: byId,
    body: z.object({ proof: proofText }),
    response: ownReturn,
    refusals: { 404: 'not-found', 409: 'not-possible' },
  },
  'GET /tickets/{id}/return': {
    summary: 'The return that a ticket of the caller is about; null: none',
    params: byId,
    response: z.object({ return: z.object({ id, reference: z.string() }).nullable() }),
  },
  'POST /returns/{id}/ticket': {
    summary: 'Opens the ticket of a return, or returns it',
    params: byId,
    response: z.object({ ticket_id: id }),
    refusals: { 404: 'not-found', 409: 'too-many-open', 429: 'too-often' },
  },
} as const satisfies Contract;
