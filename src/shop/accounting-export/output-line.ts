import {
  addCents,
  addSats,
  cents,
  formatDecimalBtc,
  divideNearest,
  NO_CENTS,
  NO_SATS,
  SATS_PER_BTC,
} from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import { formatOrderNumber } from '#src/shop/shop-settings/order-number.ts';
import { getDustLimit } from '#src/shop/payments/ledger/min-refund.ts';
import { countConfirmations } from '#src/shop/payments/ledger/payment-state.ts';
import { formatDollars } from './format-dollars.ts';
import { createTaxCells, TAX_COLUMNS } from './tax-cells.ts';
import type { ExportedTax } from './tax-cells.ts';
import { createRefundCells, REFUND_COLUMNS, sumRefundGains, sumRefundSats } from './refund-cells.ts';
import type { ExportedRefund } from './refund-cells.ts';
import { sumUnclaimedSats, WRITE_OFF_COLUMNS, createWriteOffCells } from './write-off-cells.ts';
import type { ExportedWriteOff } from './write-off-cells.ts';

/** A quote of an order. */
export interface ExportedQuote {
  readonly rate: CentsPerBtc;
  /** Snapshot of the sources of the rate. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly until: Date;
}

/** A live output with data of its order. */
export interface ExportedOutput {
  readonly number: bigint;
  readonly status: PaymentStatus;
  readonly firstSeen: Date;
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: Sats;
  readonly isLive: boolean;
  readonly height: number | null;
  readonly blockHash: string | null;
  /** Oldest first, at least one. */
  readonly quotes: readonly [ExportedQuote, ...ExportedQuote[]];
  readonly refundAddress: string | null;
  /** Only on the first line of an order, so that a sum counts them once. */
  readonly refunds: readonly ExportedRefund[];
  /** As for refunds. */
  readonly writeOffs: readonly ExportedWriteOff[];
  /** Shortfall of a paid order, on its first line; null otherwise. */
  readonly shortSats: Sats | null;
  /** The order's address, whose type has a dust limit. */
  readonly address: string;
  /** Staff accepted an amount as full payment. */
  readonly isAcceptedByStaff: boolean;
  /** Part of the total that staff waived, on the first line of the order; otherwise 0. */
  readonly waivedCents: Cents;
  /** Of a paid order, on its first line; null or omitted otherwise. */
  readonly charged?: ExportedTax | null;
}

export const EXPORT_COLUMNS = [
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
  ...REFUND_COLUMNS,
  ...WRITE_OFF_COLUMNS,
  'short_sats',
  'short_because',
  'waived_usd',
  'loss_sats',
  'loss_usd',
  ...TAX_COLUMNS,
] as const;

/** Indexes of the columns of signed amounts. */
export const EXPORT_NUMBER_COLUMNS: ReadonlySet<number> = new Set([EXPORT_COLUMNS.indexOf('refund_gain_usd')]);

/** Sums of the lines so far. */
export interface ExportTotals {
  readonly lines: number;
  readonly sats: Sats;
  readonly cents: Cents;
  readonly refundSats: Sats;
  /** Cents that refunds gained, or lost, by a changed rate. */
  readonly refundGainCents: bigint;
  readonly unclaimedSats: Sats;
  readonly lossSats: Sats;
}

export const EMPTY_TOTALS: ExportTotals = {
  lines: 0,
  sats: NO_SATS,
  cents: NO_CENTS,
  refundSats: NO_SATS,
  refundGainCents: 0n,
  unclaimedSats: NO_SATS,
  lossSats: NO_SATS,
};

/**
 * The quote that an output pays: the first whose window was open when it was seen, otherwise the
 * last.
 */
function findQuote({ firstSeen, quotes }: ExportedOutput): ExportedQuote {
  const inTime = quotes.find(({ until }) => firstSeen.getTime() <= until.getTime());
  return inTime ?? quotes.at(-1) ?? quotes[0];
}

/** Satoshis in cents at a rate, rounded to the nearest. */
export const toCents = (amount: Sats, rate: CentsPerBtc): Cents => cents(divideNearest(amount * rate, SATS_PER_BTC));

/** Summary of a rate: its rule and its exchanges. */
export function describeRateSource({ evidence }: Pick<ExportedQuote, 'evidence'>): string {
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

/** Why less than the amount due was accepted: staff, a rest too small to send, or the tolerance. */
function findShortReason({
  address,
  isAcceptedByStaff,
  shortSats,
}: ExportedOutput): 'staff' | 'dust' | 'tolerance' | '' {
  if (shortSats === null) return '';
  if (isAcceptedByStaff) return 'staff';
  return shortSats < getDustLimit(address) ? 'dust' : 'tolerance';
}

/**
 * Cells of an output line, in the order of EXPORT_COLUMNS. Dollars at the rate of the quote that the
 * output pays, rounded to the nearest cent; satoshis are exact.
 */
export function createOutputCells(
  output: ExportedOutput,
  tip: { readonly height: number } | null,
  orderPrefix: string,
): string[] {
  const quote = findQuote(output);
  const { amountSats, height, blockHash, refunds, writeOffs } = output;
  const at = quote.evidence['at'];
  return [
    formatOrderNumber(output.number, orderPrefix),
    output.status,
    output.firstSeen.toISOString(),
    output.txid,
    String(output.vout),
    String(amountSats),
    formatDecimalBtc(amountSats),
    formatDollars(toCents(amountSats, quote.rate)),
    formatDollars(quote.rate),
    describeRateSource(quote),
    typeof at === 'string' ? at : '',
    height === null ? '' : String(height),
    blockHash ?? '',
    String(countConfirmations(output, tip)),
    output.refundAddress ?? '',
    ...createRefundCells(refunds),
    ...createWriteOffCells(writeOffs),
    output.shortSats === null ? '' : String(output.shortSats),
    findShortReason(output),
    output.waivedCents === 0n ? '' : formatDollars(output.waivedCents),
    '',
    '',
    ...createTaxCells(output.charged ?? null),
  ];
}

export function addOutput(totals: ExportTotals, output: ExportedOutput): ExportTotals {
  return {
    ...totals,
    lines: totals.lines + 1,
    sats: addSats(totals.sats, output.amountSats),
    cents: addCents(totals.cents, toCents(output.amountSats, findQuote(output).rate)),
    refundSats: addSats(totals.refundSats, sumRefundSats(output.refunds)),
    refundGainCents: totals.refundGainCents + sumRefundGains(output.refunds),
    unclaimedSats: addSats(totals.unclaimedSats, sumUnclaimedSats(output.writeOffs)),
  };
}
