import { addCents, addSats, cents, sats, SATS_PER_BTC } from '../money.ts';
import type { Cents, Sats } from '../money.ts';

/** Amounts as on the wire: at most eight decimals of bitcoin, two of dollars. */
export interface ShownAmounts {
  readonly btc: number;
  readonly usd: number;
}

const CENTS_PER_USD = 100;

// A float is the nearest one to its integer here, so rounding finds that integer again.
const satsOf = ({ btc }: ShownAmounts): Sats => sats(BigInt(Math.round(btc * Number(SATS_PER_BTC))));
const centsOf = ({ usd }: ShownAmounts): Cents => cents(BigInt(Math.round(usd * CENTS_PER_USD)));

/**
 * The price of one piece as the page shows it while values are being chosen: the base price and the increases, each as
 * the shop gave it, added as whole satoshis and cents.
 */
export function shownPrice(base: ShownAmounts, increases: readonly ShownAmounts[]): ShownAmounts {
  const parts = [base, ...increases];
  return {
    btc: Number(addSats(...parts.map(satsOf))) / Number(SATS_PER_BTC),
    usd: Number(addCents(...parts.map(centsOf))) / CENTS_PER_USD,
  };
}
