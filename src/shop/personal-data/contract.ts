import { z } from 'zod';
import { oneReturn } from '#src/shop/returns/contract.ts';
import { cart } from '#src/shop/cart/contract.ts';
import { order } from '#src/shop/orders/contract.ts';
import { refundCovers, refundStates } from '#src/shop/orders/kinds.ts';
import { btc, id, instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const orderWithRefunds = order.extend({
  returns: z.array(oneReturn),
  refund_address: z.string().nullable(),
  refund_address_confirmed: z.boolean(),
  refunds: z.array(
    z.object({
      covers: z.enum(refundCovers),
      amount_btc: btc,
      address: z.string(),
      state: z.enum(refundStates),
      txid: z.string().nullable(),
      made_at: instant,
    }),
  ),
  /** Statements of withdrawal. */
  withdrawals: z.array(
    z.object({
      reference: z.string(),
      stated_at: instant,
      name: z.string(),
      acknowledgement_email: z.string().nullable(),
      reason: z.string().nullable(),
      statement: z.string(),
      result: z.string().nullable(),
    }),
  ),
});

export const personalDataApi = {
  'GET /users/{id}/data': {
    summary: 'Exports the personal data of the caller',
    params: z.object({ id }),
    response: z
      .object({
        exported_at: instant,
        user: z.object({
          id,
          username: z.string(),
          email: z.string(),
          email_confirmed_at: instant.nullable(),
          /** Version of the terms at registration. */
          accepted_terms: z.int().nullable(),
          role: z.string(),
          created_at: instant,
        }),
        sessions: z.array(
          z.object({ device: z.string(), created_at: instant, last_seen_at: instant, expires_at: instant }),
        ),
        cart,
        orders: z.array(orderWithRefunds),
        contact_messages: z.array(
          z.object({
            first_name: z.string(),
            last_name: z.string(),
            email: z.string(),
            message: z.string(),
            created_at: instant,
            answers: z.array(z.object({ text: z.string(), created_at: instant })),
          }),
        ),
      })
      // The data of other slices, by the name of the slice.
      .catchall(z.unknown()),
    refusals: { 404: 'not-found' },
  },
  'DELETE /users/{id}': {
    summary:
      'Deletes one’s own account, within 15 minutes of entering the password. Orders stay for the accounting, without names; issued invoices stay as they are',
    params: z.object({ id }),
    body: z.object({ username: text(254) }),
    response: z.object({ message: z.literal('success') }),
    failureMessage: 'The account was not deleted',
    refusals: {
      401: 'reauth',
      404: 'not-found',
      409: 'order-open, order-unshipped, payment-under-way, refund-under-way, return-open, staff',
    },
  },
  'POST /support/customers/{id}/erase': {
    summary:
      'Staff: deletes the account of a customer at their request, within 15 minutes of entering the own password. The rules are those of customers',
    params: z.object({ id }),
    body: z.object({ username: text(254) }),
    response: z.object({ message: z.literal('success') }),
    failureMessage: 'The account was not erased',
    refusals: {
      401: 'reauth',
      403: 'forbidden',
      404: 'not-found',
      409: 'order-open, order-unshipped, payment-under-way, refund-under-way, return-open, staff',
    },
  },
} as const satisfies Contract;
