import { addCents, addSats, cents, sats, SATS_PER_BTC } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';

/** Wire amounts: at most eight decimals of bitcoin, two of dollars. */
export interface DisplayAmounts {
  /** Null without a rate. */
  readonly btc: number | null;
  readonly usd: number;
}

const CENTS_PER_USD = 100;

// The float is the nearest to its integer, so rounding restores it.
const toSats = (btc: number): Sats => sats(BigInt(Math.round(btc * Number(SATS_PER_BTC))));
const toCents = ({ usd }: DisplayAmounts): Cents => cents(BigInt(Math.round(usd * CENTS_PER_USD)));

/**
 * Unit price shown while values are being chosen: base price plus increases, added as integer sats
 * and cents.
 */
export function computeDisplayPrice(base: DisplayAmounts, increases: readonly DisplayAmounts[]): DisplayAmounts {
  const parts = [base, ...increases];
  const inBtc = parts.flatMap(({ btc }) => (btc === null ? [] : [btc]));
  return {
    btc: inBtc.length < parts.length ? null : Number(addSats(...inBtc.map(toSats))) / Number(SATS_PER_BTC),
    usd: Number(addCents(...parts.map(toCents))) / CENTS_PER_USD,
  };
}
