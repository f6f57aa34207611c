import { addCents, addSats, cents, sats, SATS_PER_BTC } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';

/** Amounts as on the wire: at most eight decimals of bitcoin, two of dollars. */
export interface DisplayAmounts {
  /** Null while there is no rate. */
  readonly btc: number | null;
  readonly usd: number;
}

const CENTS_PER_USD = 100;

// A float is the nearest one to its integer here, so rounding finds that integer again.
const satsOf = (btc: number): Sats => sats(BigInt(Math.round(btc * Number(SATS_PER_BTC))));
const centsOf = ({ usd }: DisplayAmounts): Cents => cents(BigInt(Math.round(usd * CENTS_PER_USD)));

/**
 * The price of one piece as the page shows it while values are being chosen: the base price and the increases, each as
 * the shop gave it, added as whole satoshis and cents.
 */
export function computeDisplayPrice(base: DisplayAmounts, increases: readonly DisplayAmounts[]): DisplayAmounts {
  const parts = [base, ...increases];
  const inBtc = parts.flatMap(({ btc }) => (btc === null ? [] : [btc]));
  return {
    btc: inBtc.length < parts.length ? null : Number(addSats(...inBtc.map(satsOf))) / Number(SATS_PER_BTC),
    usd: Number(addCents(...parts.map(centsOf))) / CENTS_PER_USD,
  };
}
