import { z } from 'zod';
import { order } from '../orders/contract.ts';
import { btc, filledText, id, instant, text } from '../wire.ts';
import type { Contract } from '../wire.ts';
import { refundCovers, refundStates } from './refundable.ts';

const byId = z.object({ id });
const namedAddress = z.object({ address: z.string().nullable(), confirmed: z.boolean() });

const refund = z.object({
  id,
  covers: z.enum(refundCovers),
  /** What arrives. */
  amount_btc: btc,
  /** What it takes off what the order has received: more by the fee when the buyer bears that. */
  debit_btc: btc,
  fee_btc: btc.nullable(),
  address: z.string(),
  /** Base64. Unsigned, for a wallet with the account's key; null: any wallet pays it, by `bip21`. */
  psbt: z.string().nullable(),
  bip21: z.string(),
  state: z.enum(refundStates),
  txid: z.string().nullable(),
  made_at: instant,
});
export type Refund = z.input<typeof refund>;
const oneRefund = z.object({ refund });
const problem = z.string().nullable();
const refundsOfOrder = z.object({
  refunds: z.array(refund),
  refundable: z.object({ surplus_btc: btc, whole_btc: btc }),
  /** Why one can’t be made now, as the call that makes it would say; null when it can. */
  refused: z.object({ surplus: problem, whole: problem }),
  address: z.object({ address: z.string(), confirmed: z.boolean() }).nullable(),
});
export type RefundsOfOrder = z.input<typeof refundsOfOrder>;

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
  'GET /orders/{id}/refunds': {
    summary: 'Staff: the refunds of an order, what can go back of it, why not, and where to',
    params: byId,
    response: refundsOfOrder,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /orders/{id}/refunds': {
    summary: 'Staff: makes a refund of all that can go back, as a PSBT from the shop’s coins or for any wallet to pay',
    params: byId,
    body: z.object({
      covers: z.enum(refundCovers),
      fee_paid_by: z.enum(['shop', 'buyer']),
      /** Sats per virtual byte; left out: what the chain source advises. */
      fee_rate: z.number().min(1).max(1000).optional(),
      /** Left out: coins. From any wallet the whole amount arrives, and its owner bears the fee. */
      from: z.enum(['coins', 'any-wallet']).optional(),
    }),
    status: 201,
    response: oneRefund,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'order-open, reorged-out, nothing-to-refund, no-address, address-not-confirmed, refund-open, dust, no-coins, no-fee-rate, changed',
      502: 'chain-down',
    },
  },
  'POST /refunds/{id}/broadcast': {
    summary:
      'Staff: hands the signed PSBT of a refund, or its transaction, to the network; nothing is stored but what the chain says',
    params: byId,
    body: z.object({
      /** In base64; or in hex, which a finished transaction comes in too. */
      psbt: text(60_000).regex(/^[\w+/=\s-]+$/, { message: 'is neither base64 nor hex' }),
    }),
    response: oneRefund,
    refusals: {
      400: 'not-a-psbt',
      403: 'forbidden',
      404: 'not-found',
      409: 'not-open, no-psbt, another-transaction, not-signed, not-covered',
      502: 'not-sent',
    },
  },
  'POST /refunds/{id}/withdraw': {
    summary: 'Staff: gives a refund up of which nothing was seen',
    params: byId,
    response: oneRefund,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-open' },
  },
  'POST /refunds/{id}/record': {
    summary: 'Staff: their word that a transaction has paid a refund which the shop does not see',
    params: byId,
    body: z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: oneRefund,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-open' },
  },
} as const satisfies Contract;
