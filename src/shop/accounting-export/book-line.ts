import {
  addCents,
  addSats,
  cents,
  decimalBtc,
  divideNearest,
  NO_CENTS,
  NO_SATS,
  SATS_PER_BTC,
  sumSats,
} from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { orderNumber } from '#src/shop/orders/show-order.ts';
import { confirmationsOf } from '#src/shop/payments/ledger/payment-state.ts';
import { unclaimedSats, WRITE_OFF_COLUMNS, writeOffCells } from './write-off-cells.ts';
import type { BookedWriteOff } from './write-off-cells.ts';

/** A quote that an order had. */
export interface BookedQuote {
  readonly rate: CentsPerBtc;
  /** What the rate rests on, as it was kept. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly until: Date;
}

/** Money that went back to the buyer. */
export interface BookedRefund {
  readonly txid: string;
  readonly amountSats: Sats;
}

/** A live output of the ledger with what its order knows of it. */
export interface BookedOutput {
  readonly number: bigint;
  readonly status: string;
  readonly firstSeen: Date;
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: Sats;
  readonly isLive: boolean;
  readonly height: number | null;
  readonly blockHash: string | null;
  /** Oldest first; one at least. */
  readonly quotes: readonly [BookedQuote, ...BookedQuote[]];
  readonly refundAddress: string | null;
  /** Empty on all lines of an order but its first, so that a sum counts them once. */
  readonly refunds: readonly BookedRefund[];
  /** As the refunds. */
  readonly writeOffs: readonly BookedWriteOff[];
  /** On the first line of a paid order: by how much all that came is less than was asked for. Null elsewhere, and for nothing. */
  readonly shortSats: Sats | null;
}

export const BOOK_COLUMNS = [
  'order',
  'order_status',
  'first_seen',
  'txid',
  'vout',
  'sats',
  'btc',
  'usd',
  'rate_usd',
  'rate_source',
  'rate_at',
  'block_height',
  'block_hash',
  'confirmations',
  'refund_address',
  'refund_sats',
  'refund_txids',
  ...WRITE_OFF_COLUMNS,
  'short_sats',
  'loss_sats',
  'loss_usd',
] as const;

/** What was written so far. */
export interface BookTotals {
  readonly lines: number;
  readonly sats: Sats;
  readonly cents: Cents;
  readonly refundSats: Sats;
  readonly unclaimedSats: Sats;
  readonly lossSats: Sats;
}

export const NOTHING_BOOKED: BookTotals = {
  lines: 0,
  sats: NO_SATS,
  cents: NO_CENTS,
  refundSats: NO_SATS,
  unclaimedSats: NO_SATS,
  lossSats: NO_SATS,
};

/** The quote that an output was sent for: the first whose window was open when it was seen; if none was, the last. */
function quoteOf({ firstSeen, quotes }: BookedOutput): BookedQuote {
  const inTime = quotes.find(({ until }) => firstSeen.getTime() <= until.getTime());
  return inTime ?? quotes.at(-1) ?? quotes[0];
}

/** Satoshis in cents at a rate, to the nearest. */
export const centsOf = (amount: Sats, rate: CentsPerBtc): Cents => cents(divideNearest(amount * rate, SATS_PER_BTC));

export const dollars = (amount: bigint): string => {
  const digits = amount.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** In a few words: the rule, and whose prices it was made of. */
export function sourceOf({ evidence }: Pick<BookedQuote, 'evidence'>): string {
  const { rule, quotes } = evidence;
  const sources = Array.isArray(quotes)
    ? quotes.flatMap((quote: unknown) => {
        const source: unknown = typeof quote === 'object' && quote !== null ? Reflect.get(quote, 'source') : null;
        return typeof source === 'string' ? source : [];
      })
    : [];
  const named = typeof rule === 'string' ? rule : '';
  return sources.length === 0 ? named : `${named} of ${sources.join(' ')}`;
}

export const sumOf = (refunds: readonly BookedRefund[]): Sats => sumSats(refunds.map(({ amountSats }) => amountSats));

/**
 * The cells of an output's line, in the order of BOOK_COLUMNS: dollars at the rate of the quote that it was sent for, with
 * what that rate rests on. Amounts are exact; the dollars of a line are rounded to the nearest cent.
 */
export function bookLine(output: BookedOutput, tip: { readonly height: number } | null): string[] {
  const quote = quoteOf(output);
  const { amountSats, height, blockHash, refunds, writeOffs } = output;
  const at = quote.evidence['at'];
  return [
    orderNumber(output.number),
    output.status,
    output.firstSeen.toISOString(),
    output.txid,
    String(output.vout),
    String(amountSats),
    decimalBtc(amountSats),
    dollars(centsOf(amountSats, quote.rate)),
    dollars(quote.rate),
    sourceOf(quote),
    typeof at === 'string' ? at : '',
    height === null ? '' : String(height),
    blockHash ?? '',
    String(confirmationsOf(output, tip)),
    output.refundAddress ?? '',
    refunds.length === 0 ? '' : String(sumOf(refunds)),
    refunds.map(({ txid }) => txid).join(' '),
    ...writeOffCells(writeOffs),
    output.shortSats === null ? '' : String(output.shortSats),
    '',
    '',
  ];
}

export function addToTotals(totals: BookTotals, output: BookedOutput): BookTotals {
  return {
    ...totals,
    lines: totals.lines + 1,
    sats: addSats(totals.sats, output.amountSats),
    cents: addCents(totals.cents, centsOf(output.amountSats, quoteOf(output).rate)),
    refundSats: addSats(totals.refundSats, sumOf(output.refunds)),
    unclaimedSats: addSats(totals.unclaimedSats, unclaimedSats(output.writeOffs)),
  };
}
