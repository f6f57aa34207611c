import { z } from 'zod';
import { order } from '#src/shop/orders/contract.ts';
import { btc, filledText, id, instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { refundCovers, refundStates } from '#src/shop/orders/kinds.ts';

const byId = z.object({ id });
const namedAddress = z.object({
  address: z.string().nullable(),
  confirmed: z.boolean(),
  /** When an address that staff entered begins to count; null for one that the buyer named. */
  holds_from: instant.nullable(),
});
const reason = filledText(500);
const txid = z.string().regex(/^[0-9a-f]{64}$/);
const MIN_BTC = 0.000_000_01;
/** All that there can ever be. */
const MAX_BTC = 21_000_000;
/** A PSBT of as many coins as one refund can take, and every standard transaction in hex. */
const MAX_SIGNED_CHARACTERS = 1_000_000;

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
  /** By staff's word: the chain was not asked. */
  is_recorded: z.boolean(),
  /** Recorded after it was sent elsewhere, without an instruction of the shop. */
  is_elsewhere: z.boolean(),
  /** Why staff recorded it; null for any other. */
  reason: z.string().nullable(),
  made_at: instant,
});
export type Refund = z.input<typeof refund>;
const oneRefund = z.object({ refund });
const problem = z.string().nullable();
const writeOff = z.object({
  id,
  /** The shop keeps what nobody claimed, or bears what it sent back twice. */
  kind: z.enum(['unclaimed', 'paid-twice']),
  covers: z.enum(refundCovers),
  amount_btc: btc,
  reason: z.string(),
  made_at: instant,
  /** When the buyer claimed it after all; null while it is written off. */
  reopened_at: instant.nullable(),
});
const refundsOfOrder = z.object({
  refunds: z.array(refund),
  refundable: z.object({ surplus_btc: btc, whole_btc: btc }),
  /** Why one can’t be made now, as the call that makes it would say; null when it can. */
  refused: z.object({ surplus: problem, whole: problem }),
  address: z
    .object({
      address: z.string(),
      confirmed: z.boolean(),
      /** When an address that staff entered begins to count, and why they did; null for one that the buyer named. */
      holds_from: instant.nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
  write_offs: z.array(writeOff),
  /** What can be written off as unclaimed now; or why not, and from when on. */
  unclaimed: z.object({ amount_btc: btc.nullable(), refusal: problem, from: instant.nullable() }),
  /** What went back twice, since a withdrawn refund was sent beside the next one; null for nothing. */
  paid_twice_btc: btc.nullable(),
  /** A backup was restored after the order was made: refunds between these moments are unknown to the shop. */
  may_be_forgotten: z.object({ backup_at: instant, restored_at: instant }).nullable(),
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
      /** Staff have looked in the wallet: no refund of before a restore was forgotten. */
      checked: z.boolean().optional(),
    }),
    status: 201,
    response: oneRefund,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'order-open, reorged-out, nothing-to-refund, no-address, address-not-confirmed, address-waits, check-wallet, refund-open, dust, no-coins, no-fee-rate, changed',
      502: 'chain-down',
    },
  },
  'POST /refunds/{id}/broadcast': {
    summary:
      'Staff: hands the signed PSBT of a refund, or its transaction, to the network; nothing is stored but what the chain says',
    params: byId,
    body: z.object({
      /** In base64; or in hex, which a finished transaction comes in too. */
      psbt: text(MAX_SIGNED_CHARACTERS).regex(/^[\w+/=\s-]+$/, { message: 'is neither base64 nor hex' }),
    }),
    // With the JSON around it; only for those who may make the call.
    maxBodyBytes: MAX_SIGNED_CHARACTERS + 1024,
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
    body: z.object({ txid }),
    response: oneRefund,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-open, own-payment, txid-known' },
  },
  'POST /refunds/{id}/undo-record': {
    summary: 'Staff: takes back their word that a transaction has paid a refund, with a reason',
    params: byId,
    body: z.object({ reason }),
    response: oneRefund,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-recorded, refund-open' },
  },
  'POST /orders/{id}/refunds/elsewhere': {
    summary: 'Staff: records a refund that was sent elsewhere, with its transaction; it closes all that could go back',
    params: byId,
    body: z.object({
      covers: z.enum(refundCovers),
      txid,
      /** Where it was sent. */
      address: filledText(100),
      /** What has arrived; left out: all that could go back. */
      amount_btc: z.number().min(MIN_BTC).max(MAX_BTC).pipe(btc).optional(),
      reason,
    }),
    status: 201,
    response: oneRefund,
    refusals: {
      400: 'invalid-address',
      403: 'forbidden',
      404: 'not-found',
      409: 'order-open, reorged-out, nothing-to-refund, refund-open, own-payment, txid-known, too-much',
    },
  },
  'POST /orders/{id}/refund-address/enter': {
    summary: 'Staff: enters an address in the buyer’s place; it counts after three days in which the buyer can object',
    params: byId,
    body: z.object({ address: filledText(100), reason }),
    response: namedAddress,
    refusals: { 400: 'invalid-address', 403: 'forbidden', 404: 'not-found', 409: 'address-confirmed' },
  },
  'POST /orders/{id}/write-offs': {
    summary:
      'Staff: writes off money that nobody has claimed for a set time, or accepts what went back twice as a loss',
    params: byId,
    body: z.object({ kind: z.enum(['unclaimed', 'paid-twice']), reason }),
    status: 201,
    response: z.object({ write_off: writeOff }),
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'refund-open, order-open, reorged-out, nothing-to-write-off, address-known, too-early, not-paid-twice',
    },
  },
} as const satisfies Contract;
