import { z } from 'zod';
import { btc, filledText, id, queryInteger, rowVersion, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { isOneLine } from '#src/shop/shop-settings/check-text.ts';
import { exchangedOrder, oneReturn, proofText } from '../contract.ts';
import { returnStates } from '../kinds.ts';

const MAX_UNITS = 99;
const MAX_USD = 21_000_000_000_000;

export const deskReturn = z.object({
  return: oneReturn,
  order_number: z.string(),
  buyer: z.object({ id, username: z.string() }),
  /** In lines. */
  return_address: z.string(),
  /** What a refund would return now; null: it has no such action. */
  refund: z
    .object({
      /** What the units cost less deductions, with tax. */
      value_usd: usd,
      shipping: z.boolean(),
      returns_btc: btc.nullable(),
      /** Error code of making it now; null if it can be made. */
      refused: z.string().nullable(),
    })
    .nullable(),
  /** What the credited units can be exchanged for, by line; null: there is no such action. */
  exchange: z
    .array(
      z.object({
        position: z.int().nonnegative(),
        name: z.string(),
        /** Units that are exchanged. */
        quantity: z.int().positive(),
        /** The variant that the buyer wants instead; null: none, or it was deleted. */
        wanted_variant_id: id.nullable(),
        /** On sale, without the one that was returned. */
        variants: z.array(
          z.object({
            variant_id: id,
            name: z.string(),
            price_usd: usd,
            /** Units that can be ordered; null: not tracked. */
            available: z.int().nullable(),
          }),
        ),
      }),
    )
    .nullable(),
  /** The order that an exchange created; null: none. */
  exchanged: exchangedOrder.nullable(),
  /** State of the refund that was made. */
  refund_state: z.string().nullable(),
});
export type DeskReturn = z.input<typeof deskReturn>;

const listedReturn = z.object({
  return: oneReturn,
  order_number: z.string(),
  username: z.string(),
});
export type ListedReturn = z.input<typeof listedReturn>;

const byId = z.object({ id });
const version = rowVersion(1);
const refusals = { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile, not-possible' } as const;
const changing = { params: byId, response: deskReturn, refusals } as const;
const why = filledText(1000);

/** An https address, or empty. */
const label = text(500)
  .trim()
  .refine((value) => value === '' || /^https:\/\/[^\s/]+\/\S*$/.test(value), { message: 'must start with https://' });

const serials = z.array(filledText(60)).max(MAX_UNITS);

const inspectedLine = z
  .object({
    position: z.int().min(0).max(100_000),
    restocked: z.int().min(0).max(MAX_UNITS),
    damaged: z.int().min(0).max(MAX_UNITS),
    sent_back: z.int().min(0).max(MAX_UNITS),
    condition: text(1000).trim(),
    /** What the shop keeps of the price of the refunded units, with tax. */
    deduction_usd: z.number().min(0).max(MAX_USD).pipe(usd),
    deduction_reason: text(500).trim(),
    /** Numbers of the units that are sent back. Needed only if some units are sent back and others are not. */
    sent_back_serials: serials.optional(),
  })
  .refine(({ deduction_reason: reason, deduction_usd: deduction }) => deduction === 0n || reason !== '', {
    message: 'is required with a deduction',
    path: ['deduction_reason'],
  });

/** What a list of returns can show: those that wait for staff, those with a deadline that is near, or one state. */
const returnViews = ['waiting', 'due', 'open', ...returnStates] as const;

export const returnDeskApi = {
  'GET /support/returns': {
    summary: 'Staff: returns, 25 a page, the next deadline first. q is a reference or an order number',
    query: z.object({
      view: z.enum(returnViews).optional(),
      q: text(60).optional(),
      page: queryInteger(1, 100_000).optional(),
    }),
    response: z.object({
      returns: z.array(listedReturn),
      total: z.int().nonnegative(),
      has_more: z.boolean(),
      page: z.int().positive(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/returns/{id}': {
    summary: 'Staff: a return with its buyer, and what its refund would return',
    params: byId,
    response: deskReturn,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /support/returns/{id}/approve': {
    ...changing,
    summary: 'Staff: approves a return. Its refund is due within 14 days',
    body: z.object({ version }),
    failureMessage: 'The return was not approved',
  },
  'POST /support/returns/{id}/refuse': {
    ...changing,
    summary: 'Staff: refuses a return with a reason, which the buyer reads. A withdrawal can’t be refused',
    body: z.object({ version, reason: why }),
    failureMessage: 'The return was not refused',
  },
  'PUT /support/returns/{id}/label': {
    ...changing,
    summary: 'Staff: names the page or file of a label that the shop pays for; empty: none',
    body: z.object({ version, label_url: label }),
    failureMessage: 'The label was not saved',
  },
  'POST /support/returns/{id}/sent': {
    ...changing,
    summary: 'Staff: records a proof of sending, such as a tracking number',
    body: z.object({ version, proof: proofText.refine(isOneLine, { message: 'must be one line' }) }),
    failureMessage: 'The proof was not saved',
  },
  'POST /support/returns/{id}/receive': {
    ...changing,
    summary:
      'Staff: counts units that arrived, by line or by a scanned SKU or serial number; -1 takes one back. Units that were shipped with serial numbers are counted by these',
    body: z
      .object({
        version,
        position: z.int().min(0).max(100_000).optional(),
        code: filledText(100).optional(),
        units: z
          .int()
          .min(-1)
          .max(MAX_UNITS)
          .refine((units) => units !== 0, { message: 'must not be 0' })
          .optional(),
        /** Numbers of the units of the line, which are as many as these; with `units` -1 they are taken back. */
        serials: serials.optional(),
      })
      .refine(({ code, position }) => (code === undefined) !== (position === undefined), {
        message: 'is required without a line, and only then',
        path: ['code'],
      })
      .refine(({ code, serials: numbers = [] }) => code === undefined || numbers.length === 0, {
        message: 'must name a line, not a code',
        path: ['serials'],
      }),
    failureMessage: 'The unit was not counted',
    refusals: { ...refusals, 409: 'changed-meanwhile, not-possible, unknown-code, too-many-units, serial-numbers' },
  },
  'POST /support/returns/{id}/inspect': {
    ...changing,
    summary: 'Staff: decides on each unit that arrived: restock, damaged or send back, with a deduction by line',
    body: z.object({
      version,
      lines: z
        .array(inspectedLine)
        .min(1)
        .max(100)
        .refine((all) => new Set(all.map(({ position }) => position)).size === all.length, {
          message: 'must name each line once',
        }),
    }),
    failureMessage: 'The inspection was not saved',
    refusals: {
      ...refusals,
      409: 'changed-meanwhile, not-possible, units-differ, deduction-too-large, serial-numbers',
    },
  },
  'POST /support/returns/{id}/refund': {
    ...changing,
    summary: 'Staff: makes the refund of a return, with its credit note and stock, and closes it',
    body: z.object({
      version,
      fee_paid_by: z.enum(['shop', 'buyer']),
      /** Sats per virtual byte. Defaults to the estimate of the chain source. */
      fee_rate: z.number().min(1).max(1000).optional(),
      /** Defaults to `coins`. From any wallet the full amount arrives, and the sender pays the fee. */
      from: z.enum(['coins', 'any-wallet']).optional(),
      /** Staff checked the wallet for refunds sent before a backup was restored. */
      checked: z.boolean().optional(),
    }),
    failureMessage: 'The refund was not made',
    refusals: {
      ...refusals,
      409: 'changed-meanwhile, not-possible, order-open, order-paid, reorged-out, nothing-to-refund, too-much, less-than-all, no-rate, too-many-units, shipping-refunded, shipping-due, deduction-too-large, no-address, address-not-confirmed, address-waits, check-wallet, refund-open, dust, no-coins, no-fee-rate, changed, serial-numbers',
      502: 'chain-down',
    },
  },
  'POST /support/returns/{id}/close': {
    ...changing,
    summary:
      'Staff: closes a return without a refund, with a reason, which the buyer reads; a withdrawal only if nothing of it is left to refund',
    body: z.object({ version, reason: why }),
    failureMessage: 'The return was not closed',
    refusals: { ...refusals, 409: 'changed-meanwhile, not-possible, serial-numbers' },
  },
  'POST /support/returns/{id}/void': {
    ...changing,
    summary: 'Staff: closes a withdrawal that is void by agreement with the buyer, with a note, which the buyer reads',
    body: z.object({ version, reason: why }),
    failureMessage: 'The withdrawal was not closed',
    refusals: { ...refusals, 409: 'changed-meanwhile, not-possible, serial-numbers' },
  },
} as const satisfies Contract;
