import { z } from 'zod';
import { emailAddress } from '#src/shop/accounts/contract.ts';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { isOneLine } from '#src/shop/shop-settings/check-text.ts';
import { returnStates } from '../kinds.ts';
import { proofs, refusalReasons, unmatchedViews } from './kinds.ts';

const token = text(100);
const line = (maximum: number) => filledText(maximum).refine(isOneLine, { message: 'must be one line' });
const units = z.object({ position: z.int().min(0).max(999), quantity: z.int().min(1).max(99) });

/** The order: by the link of a mail, one’s own, or by number and mail address. The first that is given decides. */
const orderFields = {
  link: token.optional(),
  order_id: id.optional(),
  order_number: line(40).optional(),
  order_email: emailAddress.optional(),
};
const chosenOrder = z.object(orderFields);
export type ChosenOrder = z.output<typeof chosenOrder>;

const declaration = z.object({
  ...orderFields,
  name: line(120),
  /** Null: everything. Only with a link, or for one’s own order. */
  units: z
    .array(units)
    .min(1, { message: 'must name at least one unit' })
    .max(200)
    .refine((all) => new Set(all.map(({ position }) => position)).size === all.length, {
      message: 'must name each line once',
    })
    .nullable(),
  /** Where the acknowledgement goes besides the mail address of the order; null: nowhere else. */
  acknowledgement_email: emailAddress.nullable(),
  /** Null: none. A withdrawal needs none. */
  reason: filledText(2000).nullable(),
});
export type Declaration = z.output<typeof declaration>;

/** Why a withdrawal has no effect. */
const problem = z.enum(refusalReasons);

const withdrawableLine = z.object({
  position: z.int(),
  name: z.string(),
  /** Units that can be withdrawn from: not shipped yet, and shipped. */
  unshipped: z.int().nonnegative(),
  shipped: z.int().nonnegative(),
});
export type WithdrawableLine = z.input<typeof withdrawableLine>;

const period = {
  /** The last day of the period in the shop’s time zone, such as 2026-12-14; null: it has not begun. */
  last_day: z.string().nullable(),
  /** Why a withdrawal has no effect now; null if it has. */
  problem: problem.nullable(),
};

const withdrawnItem = z.object({
  name: z.string(),
  quantity: z.int().positive(),
  /** Of the quantity: not shipped, and stopped. */
  cancelled: z.int().nonnegative(),
});

const withdrawal = z.object({
  reference: z.string(),
  stated_at: instant,
  state: z.enum(returnStates),
  /** By when the shop refunds. */
  refund_due_at: instant.nullable(),
  items: z.array(withdrawnItem),
});
export type ShownWithdrawal = z.input<typeof withdrawal>;

const receipt = z.object({
  reference: z.string(),
  stated_at: instant,
  /** Of the shop, an IANA name. */
  time_zone: z.string(),
  statement: z.string(),
  /** Null for an order that was named by number and address: whoever names it learns nothing of it. */
  outcome: z
    .object({
      ...period,
      items: z.array(withdrawnItem),
      refund_due_at: instant.nullable(),
    })
    .nullable(),
});

const unmatchedWithdrawal = z.object({
  id,
  reference: z.string(),
  stated_at: instant,
  name: z.string(),
  /** As typed. */
  order_number: z.string(),
  order_email: z.string().nullable(),
  acknowledgement_email: z.string().nullable(),
  statement: z.string(),
  answered_at: instant.nullable(),
});
export type UnmatchedWithdrawal = z.input<typeof unmatchedWithdrawal>;

const byId = z.object({ id });

export const withdrawalApi = {
  'POST /withdrawal/read': {
    summary: 'What can be withdrawn from an order, by the link of a mail or for one’s own order',
    body: chosenOrder.pick({ link: true, order_id: true }),
    response: z.object({
      order_number: z.string(),
      name: z.string(),
      lines: z.array(withdrawableLine),
      ...period,
    }),
    refusals: { 404: 'not-found' },
  },
  'POST /withdrawal/preview': {
    summary: 'The text of a withdrawal before it is confirmed. Stores nothing',
    body: declaration,
    response: z.object({ statement: z.string() }),
    refusals: { 404: 'not-found' },
  },
  'POST /withdrawal': {
    summary:
      'Withdraws from the contract (2011/83/EU, article 11a) and sends an acknowledgement. The response does not depend on the order if it is named by number and address',
    /** The key is a random id of the form: a repeat with it states nothing again. */
    body: declaration.extend({ key: id }),
    status: 201,
    response: z.object({
      reference: z.string(),
      /** Token of the acknowledgement. */
      receipt: z.string(),
    }),
    refusals: { 404: 'not-found', 409: 'key-used' },
  },
  'POST /withdrawal/link': {
    summary: 'Sends a link to the mail address of an order. The response does not depend on the order',
    body: z.object({ order_number: line(40), order_email: emailAddress }),
    response: z.object({}),
    refusals: { 404: 'not-found' },
  },
  'POST /withdrawal/receipt': {
    summary: 'The acknowledgement of a withdrawal, by its token',
    body: z.object({ receipt: token }),
    response: receipt,
    refusals: { 404: 'not-found' },
  },
  'GET /withdrawal/{receipt}/pdf': {
    summary: 'The acknowledgement of a withdrawal as PDF, by its token',
    params: z.object({ receipt: token }),
    response: z.string(),
    responseType: 'pdf',
    refusals: { 404: 'not-found', 503: 'overloaded' },
  },
  'GET /orders/{id}/withdrawals': {
    summary: 'Withdrawals from one’s own order, oldest first, and whether another one is possible',
    params: byId,
    response: z.object({ ...period, withdrawals: z.array(withdrawal) }),
    refusals: { 404: 'not-found' },
  },
  'GET /support/orders/{id}/withdrawals': {
    summary: 'Staff: statements of withdrawal about an order with their result, oldest first',
    params: byId,
    response: z.object({
      withdrawals: z.array(
        z.object({
          reference: z.string(),
          stated_at: instant,
          name: z.string(),
          statement: z.string(),
          proof: z.enum(proofs),
          result: z.enum(['recorded', ...refusalReasons]).nullable(),
          state: z.enum(returnStates).nullable(),
          refund_due_at: instant.nullable(),
          items: z.array(withdrawnItem),
        }),
      ),
    }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/withdrawals': {
    summary: 'Staff: statements of withdrawal that name no order of the shop, 25 a page, the oldest open one first',
    query: z.object({ view: z.enum(unmatchedViews).optional(), page: queryInteger(1, 100_000).optional() }),
    response: z.object({
      withdrawals: z.array(unmatchedWithdrawal),
      total: z.int().nonnegative(),
      has_more: z.boolean(),
      page: z.int().positive(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/withdrawals/{id}/answer': {
    summary: 'Staff: records that the buyer of a statement that names no order was answered',
    params: byId,
    response: z.object({ withdrawal: unmatchedWithdrawal }),
    failureMessage: 'The statement was not closed',
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'answered-meanwhile' },
  },
} as const satisfies Contract;
