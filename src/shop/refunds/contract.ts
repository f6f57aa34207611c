import { z } from 'zod';
import { order } from '#src/shop/orders/contract.ts';
import { btc, filledText, id, instant, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { refundCovers, refundStates, totalCovers } from '#src/shop/orders/kinds.ts';
import { refundMethods } from '#src/shop/shop-settings/refund-method.ts';
import { writeOffProblems } from './manual/write-off.ts';
import { MAX_ADDRESS_CHARACTERS } from './typed-address.ts';
import { refundProblems } from './refundable.ts';

const byId = z.object({ id });
const namedAddress = z.object({
  address: z.string().nullable(),
  confirmed: z.boolean(),
  /**
   * When the objection period of an address entered by staff ends; null if the buyer entered it.
   */
  holds_from: instant.nullable(),
});
/** Longer than any address: a private key or seed in its place gets the warning that it is one, and is not stored. */
const typedAddress = filledText(MAX_ADDRESS_CHARACTERS);
const reason = filledText(500);
const txid = z.string().regex(/^[0-9a-f]{64}$/);
const MIN_BTC = 0.000_000_01;
/** Total supply. */
const MAX_BTC = 21_000_000;
/** Fits a PSBT of the most coins per refund, and any standard transaction in hex. */
const MAX_SIGNED_CHARACTERS = 1_000_000;

const unitsToRefund = z.object({
  position: z.int().min(0).max(100_000),
  quantity: z.int().min(1).max(100_000),
  /** Whether the units were shipped. Others are not shipped any more. */
  shipped: z.boolean(),
});

/** The most lines of an order, shipped and not. */
const MAX_UNIT_ROWS = 400;
const linesToRefund = z.object({
  units: z
    .array(unitsToRefund)
    .max(MAX_UNIT_ROWS)
    .refine((all) => new Set(all.map(({ position, shipped }) => `${position} ${shipped}`)).size === all.length, {
      message: 'must name each line once, or once shipped and once not',
    }),
  /** Whether the shipping is refunded too. */
  shipping: z.boolean(),
  reason,
  /** Whether the units go on sale again once the refund is confirmed. */
  restock: z.boolean(),
});
const MAX_USD = 21_000_000_000_000;
const amountToRefund = z.object({
  /** With tax, of a paid order. */
  usd: z.number().min(0.01).max(MAX_USD).pipe(usd),
  reason,
});
const isAmountRequest = ({ covers, amount }: { covers: string; amount?: unknown }): boolean =>
  (covers === 'amount') === (amount !== undefined);
const AMOUNT_MESSAGE = { message: 'is required for covers "amount", and for no other', path: ['amount'] };
const isPartRequest = ({ covers, amount_btc: part }: { covers: string; amount_btc?: unknown }): boolean =>
  part === undefined || covers === 'surplus' || covers === 'whole';
const PART_MESSAGE = { message: 'is for a surplus, or an order that is not paid', path: ['amount_btc'] };
const isLinesRequest = ({ covers, lines }: { covers: string; lines?: unknown }): boolean =>
  (covers === 'lines') === (lines !== undefined);
const LINES_MESSAGE = { message: 'is required for covers "lines", and for no other', path: ['lines'] };

const refund = z.object({
  id,
  covers: z.enum(refundCovers),
  /** What a refund of lines covers; null for another one. */
  lines: z
    .object({
      items: z.array(z.object({ name: z.string(), quantity: z.int().positive() })),
      shipping: z.boolean(),
      /** What it cost the buyer, with tax. */
      total_usd: usd,
      reason: z.string(),
      restock: z.boolean(),
    })
    .nullable(),
  /** Of a refund of an amount: why. */
  amount_reason: z.string().nullable(),
  /** `value`: dollars at the rate of the refund. `kind`: the satoshis that were received. */
  method: z.enum(refundMethods),
  /** Dollars of a sale that it returns, with tax; null: of no sale. */
  value_usd: usd.nullable(),
  /** Rate of a refund by value, fixed when it was created, and when the rate was found. */
  rate_usd: usd.nullable(),
  rate_at: instant.nullable(),
  /** What it returns, before a fee that the buyer pays. */
  returns_btc: btc,
  /** The amount that arrives. */
  amount_btc: btc,
  /** The amount taken from what the order received: more or less than `returns_btc` by value. */
  debit_btc: btc,
  fee_btc: btc.nullable(),
  address: z.string(),
  /** Base64. Unsigned, for a wallet with the account's key. Null: any wallet pays, by `bip21`. */
  psbt: z.string().nullable(),
  bip21: z.string(),
  state: z.enum(refundStates),
  txid: z.string().nullable(),
  /** Recorded by staff, not seen on the chain. */
  is_recorded: z.boolean(),
  /** Recorded after it was sent without a refund made in the shop. */
  is_elsewhere: z.boolean(),
  /** Why staff recorded it; null otherwise. */
  reason: z.string().nullable(),
  /** The order of an exchange that it pays; null: it goes to an address. */
  credited_order_id: id.nullable(),
  made_at: instant,
});
export type Refund = z.input<typeof refund>;
const oneRefund = z.object({ refund });
const problem = z.enum(refundProblems).nullable();
const writeOff = z.object({
  id,
  /**
   * `unclaimed`: the shop keeps unclaimed money. `paid-twice`: it accepts a double refund as a
   * loss.
   */
  kind: z.enum(['unclaimed', 'paid-twice']),
  covers: z.enum(totalCovers),
  amount_btc: btc,
  reason: z.string(),
  made_at: instant,
  /** When the buyer claimed the money; null while it is written off. */
  reopened_at: instant.nullable(),
});
const refundsOfOrder = z.object({
  refunds: z.array(refund),
  refundable: z.object({ surplus_btc: btc, whole_btc: btc }),
  /** Error code of making such a refund now; null if it can be made. */
  refused: z.object({ surplus: problem, whole: problem }),
  /** What refunds return now. */
  returns: z.object({
    /** Of the shop. */
    method: z.enum(refundMethods),
    /** The present rate; null: no fresh one. */
    rate_usd: usd.nullable(),
    rate_at: instant.nullable(),
    /** Payments of other orders are returned in kind. */
    is_paid: z.boolean(),
    /** A refund of everything; null if there is nothing to refund, or no rate. */
    whole: z.object({ value_usd: usd.nullable(), returns_btc: btc, debit_btc: btc, surplus_btc: btc }).nullable(),
  }),
  /** The lines of the order, for a refund of units of them. */
  lines: z.object({
    /** Error code of such a refund now; null if units can be refunded. */
    refused: problem,
    /** Error code of a refund of an amount now; null if it can be made. */
    amount_refused: problem,
    /** What the buyer paid with tax, and what no refund took of it. */
    paid_usd: usd,
    left_usd: usd,
    /** What refunds of amounts took of the lines; without a position: of the shipping. */
    amounts: z.array(z.object({ position: z.int().nonnegative().nullable(), net_usd: usd, tax_usd: usd })),
    /** What the shop keeps of units that came back damaged. */
    deducted_usd: usd,
    /** What the order was settled with; units are refunded in proportion to it. */
    settled_btc: btc,
    /** What refunds of lines and amounts took of it. */
    refunded_btc: btc,
    shipping: z.object({
      net_usd: usd,
      tax_usd: usd,
      is_refunded: z.boolean(),
      refunded_net_usd: usd,
      refunded_tax_usd: usd,
    }),
    items: z.array(
      z.object({
        position: z.int().nonnegative(),
        name: z.string(),
        sku: z.string().nullable(),
        quantity: z.int().positive(),
        shipped_quantity: z.int().nonnegative(),
        refunded_unshipped_quantity: z.int().nonnegative(),
        refunded_shipped_quantity: z.int().nonnegative(),
        /** What all units cost the buyer, and what refunds took of it. */
        net_usd: usd,
        tax_usd: usd,
        refunded_net_usd: usd,
        refunded_tax_usd: usd,
      }),
    ),
  }),
  address: z
    .object({
      address: z.string(),
      confirmed: z.boolean(),
      /**
       * When the objection period ends, and why staff entered the address; null if the buyer
       * entered it.
       */
      holds_from: instant.nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
  write_offs: z.array(writeOff),
  /** What can be written off as unclaimed now, or why not and from when. */
  unclaimed: z.object({
    amount_btc: btc.nullable(),
    refusal: z.enum(writeOffProblems).nullable(),
    from: instant.nullable(),
  }),
  /** Excess of a double refund; null if there is none. */
  paid_twice_btc: btc.nullable(),
  /**
   * A backup was restored after the order was made. The shop does not have refunds from between
   * these times.
   */
  may_be_forgotten: z.object({ backup_at: instant, restored_at: instant }).nullable(),
});
export type RefundsOfOrder = z.input<typeof refundsOfOrder>;

export const refundsApi = {
  'PUT /orders/{id}/refund-address': {
    summary: 'Sets the refund address. It must be confirmed by the link in the mail',
    params: byId,
    body: z.object({ address: typedAddress }),
    response: z.object({ order }),
    refusals: { 400: 'invalid, invalid-address', 404: 'not-found', 409: 'refunded' },
  },
  'GET /orders/{id}/refund-address': {
    summary: 'Returns the latest refund address and whether it is confirmed; null if there is none',
    params: byId,
    response: namedAddress,
    refusals: { 404: 'not-found' },
  },
  'POST /orders/{id}/refund-address/resend': {
    summary: 'Resends the mail that confirms the refund address, unless it is confirmed',
    params: byId,
    response: namedAddress,
    refusals: { 404: 'not-found', 409: 'no-address' },
  },
  'POST /refund-addresses/confirm': {
    summary: 'Confirms a refund address by the token in the link',
    body: z.object({ token: text(100) }),
    response: z.object({ message: z.literal('success') }),
    refusals: { 400: 'invalid-link', 409: 'address-changed' },
  },
  'GET /orders/{id}/refunds': {
    summary: 'Staff: refunds of an order, refundable amounts, and the refund address',
    params: byId,
    response: refundsOfOrder,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /orders/{id}/refunds': {
    summary:
      'Staff: refunds everything refundable, units of lines or an amount, as a PSBT from the shop’s coins or from any wallet',
    params: byId,
    body: z
      .object({
        covers: z.enum(refundCovers),
        /** Required for `lines`. */
        lines: linesToRefund.optional(),
        /** Required for `amount`. */
        amount: amountToRefund.optional(),
        /** A part of the surplus, or of the payments of an order that is not paid. */
        amount_btc: z.number().min(MIN_BTC).max(MAX_BTC).pipe(btc).optional(),
        fee_paid_by: z.enum(['shop', 'buyer']),
        /** Sats per virtual byte. Defaults to the estimate of the chain source. */
        fee_rate: z.number().min(1).max(1000).optional(),
        /**
         * Defaults to `coins`. From any wallet the full amount arrives, and the sender pays the fee.
         */
        from: z.enum(['coins', 'any-wallet']).optional(),
        /** Staff checked the wallet for refunds sent before a backup was restored. */
        checked: z.boolean().optional(),
      })
      .refine(isLinesRequest, LINES_MESSAGE)
      .refine(isAmountRequest, AMOUNT_MESSAGE)
      .refine(isPartRequest, PART_MESSAGE),
    status: 201,
    response: oneRefund,
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'order-open, order-paid, reorged-out, nothing-to-refund, too-much, no-rate, too-many-units, shipping-refunded, shipping-due, no-address, address-not-confirmed, address-waits, check-wallet, refund-open, dust, no-coins, no-fee-rate, changed',
      502: 'chain-down',
    },
  },
  'POST /refunds/{id}/broadcast': {
    summary: 'Staff: broadcasts the signed PSBT or transaction of a refund',
    params: byId,
    body: z.object({
      /** A PSBT in base64 or hex, or a finished transaction in hex. */
      psbt: text(MAX_SIGNED_CHARACTERS),
    }),
    // Includes the JSON around it. Only staff who may move money reach this limit.
    maxBodyBytes: MAX_SIGNED_CHARACTERS + 1024,
    response: oneRefund,
    refusals: {
      400: 'not-a-psbt, animated-code, private-key',
      403: 'forbidden',
      404: 'not-found',
      409: 'not-open, no-psbt, another-transaction, not-signed, not-covered',
      502: 'not-sent',
    },
  },
  'POST /refunds/{id}/withdraw': {
    summary: 'Staff: withdraws a refund that no transaction pays yet',
    params: byId,
    response: oneRefund,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-open' },
  },
  'POST /refunds/{id}/record': {
    summary: 'Staff: records the transaction of a refund that the shop cannot detect',
    params: byId,
    body: z.object({ txid }),
    response: oneRefund,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-open, own-payment, txid-known' },
  },
  'POST /refunds/{id}/undo-record': {
    summary: 'Staff: undoes the record of a refund, with a reason',
    params: byId,
    body: z.object({ reason }),
    response: oneRefund,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-recorded, refund-open' },
  },
  'POST /orders/{id}/refunds/elsewhere': {
    summary: 'Staff: records a refund sent elsewhere, with its transaction. It takes what was sent',
    params: byId,
    body: z
      .object({
        covers: z.enum(refundCovers),
        /** Required for `lines`. */
        lines: linesToRefund.optional(),
        txid,
        /** The address it was sent to. */
        address: typedAddress,
        /** Dollars with tax; required for `amount`. */
        amount_usd: z.number().min(0.01).max(MAX_USD).pipe(usd).optional(),
        /** What arrived. Defaults to what the refund returns. */
        amount_btc: z.number().min(MIN_BTC).max(MAX_BTC).pipe(btc).optional(),
        /** Network fee that was taken off it; only with `amount_btc`. Defaults to none. */
        fee_btc: z.number().nonnegative().max(MAX_BTC).pipe(btc).optional(),
        reason,
      })
      .refine(isLinesRequest, LINES_MESSAGE)
      .refine(({ covers, amount_usd: amount }) => (covers === 'amount') === (amount !== undefined), {
        ...AMOUNT_MESSAGE,
        path: ['amount_usd'],
      })
      .refine(({ amount_btc: amount, fee_btc: fee }) => amount !== undefined || fee === undefined, {
        message: 'is required with a fee',
        path: ['amount_btc'],
      }),
    status: 201,
    response: oneRefund,
    refusals: {
      400: 'invalid-address',
      403: 'forbidden',
      404: 'not-found',
      409: 'order-open, order-paid, reorged-out, nothing-to-refund, no-rate, too-many-units, shipping-refunded, shipping-due, refund-open, own-payment, txid-known, less-than-all, too-much',
    },
  },
  'POST /orders/{id}/refund-address/enter': {
    summary: 'Staff: enters a refund address for the buyer, who can object within three days',
    params: byId,
    body: z.object({ address: typedAddress, reason }),
    response: namedAddress,
    refusals: { 400: 'invalid-address', 403: 'forbidden', 404: 'not-found', 409: 'address-confirmed' },
  },
  'POST /orders/{id}/write-offs': {
    summary: 'Staff: writes off unclaimed money after a set time, or accepts a double refund as a loss',
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
