import { cents, centsPerBtc, divideNearest, NO_CENTS, sats, SATS_PER_BTC, sumSats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { formatDollars } from './format-dollars.ts';

/** A refund of an order. */
export interface ExportedRefund {
  readonly txid: string;
  readonly amountSats: Sats;
  /** What it took off the received amount, and what it returned before a fee that the buyer paid. */
  readonly debitSats: Sats;
  readonly fullSats: Sats;
  /** Dollars of the sale that it returned. */
  readonly valueCents: Cents;
  /** Rate of a refund by value; null in kind. */
  readonly rate: CentsPerBtc | null;
}

/** A refund as JSON of the database. */
export interface RefundJson {
  readonly txid: string;
  readonly amount_sats: string;
  readonly debit_sats: string;
  readonly full_sats: string;
  readonly value_cents: string;
  readonly rate: string | null;
}

export const parseRefunds = (refunds: readonly RefundJson[]): readonly ExportedRefund[] =>
  refunds.map((refund) => ({
    txid: refund.txid,
    amountSats: sats(BigInt(refund.amount_sats)),
    debitSats: sats(BigInt(refund.debit_sats)),
    fullSats: sats(BigInt(refund.full_sats)),
    valueCents: cents(BigInt(refund.value_cents)),
    rate: refund.rate === null ? null : centsPerBtc(BigInt(refund.rate)),
  }));

/**
 * refund_usd: dollars of the sale that were returned, with tax. refund_rate_usd: rates of refunds by value.
 * refund_gain_usd: what they took off the received satoshis minus what they returned, at their rates; negative: a loss.
 */
export const REFUND_COLUMNS = [
  'refund_sats',
  'refund_txids',
  'refund_usd',
  'refund_rate_usd',
  'refund_gain_usd',
] as const;

export const sumRefundSats = (refunds: readonly ExportedRefund[]): Sats =>
  sumSats(refunds.map(({ amountSats }) => amountSats));

/**
 * Gain (positive) or loss of the shop by a refund, in cents at its rate: what it took off the received amount minus what
 * it returned. Zero in kind.
 */
function computeRefundGain({ debitSats, fullSats, rate }: ExportedRefund): bigint {
  if (rate === null) return 0n;
  const difference = debitSats - fullSats;
  const worth = divideNearest((difference < 0n ? -difference : difference) * rate, SATS_PER_BTC);
  return difference < 0n ? -worth : worth;
}

export const sumRefundGains = (refunds: readonly ExportedRefund[]): bigint =>
  refunds.reduce((sum, refund) => sum + computeRefundGain(refund), 0n);

const formatGain = (gain: bigint): string => (gain < 0n ? `-${formatDollars(-gain)}` : formatDollars(gain));

/** Cells of an order's refunds, in the order of REFUND_COLUMNS; empty if there are none. */
export function createRefundCells(refunds: readonly ExportedRefund[]): string[] {
  if (refunds.length === 0) return REFUND_COLUMNS.map(() => '');
  const value = refunds.reduce<bigint>((sum, { valueCents }) => sum + valueCents, NO_CENTS);
  return [
    String(sumRefundSats(refunds)),
    refunds.map(({ txid }) => txid).join(' '),
    formatDollars(value),
    refunds.flatMap(({ rate }) => (rate === null ? [] : formatDollars(rate))).join(' '),
    formatGain(sumRefundGains(refunds)),
  ];
}
