import { z } from 'zod';
import { order } from '../orders/contract.ts';
import { filledText, id, text } from '../wire.ts';
import type { Contract } from '../wire.ts';

const byId = z.object({ id });
const namedAddress = z.object({ address: z.string().nullable(), confirmed: z.boolean() });

export const refundsApi = {
  'PUT /orders/{id}/refund-address': {
    summary: 'Where the buyer wants money back; it holds once the link was followed that the account gets by mail',
    params: byId,
    body: z.object({ address: filledText(100) }),
    response: z.object({ order }),
    refusals: { 400: 'invalid, invalid-address', 404: 'not-found', 409: 'refunded' },
  },
  'GET /orders/{id}/refund-address': {
    summary: 'The address for refunds that was named last, and whether it was confirmed; null while none is named',
    params: byId,
    response: namedAddress,
    refusals: { 404: 'not-found' },
  },
  'POST /orders/{id}/refund-address/resend': {
    summary: 'Sends the link that confirms the address for refunds once more, unless it is confirmed',
    params: byId,
    response: namedAddress,
    refusals: { 404: 'not-found', 409: 'no-address' },
  },
  'POST /refund-addresses/confirm': {
    summary: 'Confirms an address for refunds by the token in its link',
    body: z.object({ token: text(100) }),
    response: z.object({ message: z.literal('success') }),
    refusals: { 400: 'invalid-link', 409: 'address-changed' },
  },
} as const satisfies Contract;
