/** Combines the prices of several exchanges into one rate. Pure: the caller passes the ages. */

export interface ExchangeQuote {
  /** The exchange's name. */
  readonly source: string;
  readonly bidCents: bigint;
  readonly askCents: bigint;
  /** Time since the shop received it. */
  readonly ageMs: number;
  /** Age according to the exchange; negative for the future, null if unknown. */
  readonly statedAgeMs: number | null;
}

type DropReason = 'old' | 'crossed' | 'wide' | 'outlier';

interface Dropped {
  readonly source: string;
  readonly because: DropReason;
}

export interface CombinedRate {
  /** Null without a quorum. */
  readonly centsPerBtc: bigint | null;
  /** The exchanges that it was computed from, in alphabetical order. */
  readonly used: readonly string[];
  readonly dropped: readonly Dropped[];
}

/** Minimum number of agreeing exchanges. */
const QUORUM = 2;
/** Maximum age of a quote. */
export const MAX_QUOTE_AGE_MS = 300_000;
/** In hundredths of a percent: how far bid and ask may be apart, and a price from the median. */
const MAX_SPREAD = 200n;
const MAX_DEVIATION = 200n;
const HUNDRED_PERCENT = 10_000n;

/** Four times the mid price, so that it and the mean of two of them are integers. */
const computeQuarters = ({ bidCents, askCents }: ExchangeQuote): bigint => 2n * (bidCents + askCents);

function findDropReason({ bidCents: bid, askCents: ask, ageMs, statedAgeMs }: ExchangeQuote): DropReason | null {
  if (ageMs > MAX_QUOTE_AGE_MS || Math.abs(statedAgeMs ?? 0) > MAX_QUOTE_AGE_MS) return 'old';
  if (bid > ask || bid <= 0n) return 'crossed';
  return (ask - bid) * HUNDRED_PERCENT > bid * MAX_SPREAD ? 'wide' : null;
}

/** Median; of an even number, the mean of the middle two. */
function computeMedian(quotes: readonly ExchangeQuote[]): bigint {
  const sorted = quotes.map(computeQuarters).toSorted((a, b) => Number(a - b));
  const upper = sorted[sorted.length >> 1] ?? 0n;
  const lower = sorted[(sorted.length - 1) >> 1] ?? upper;
  return (lower + upper) / 2n;
}

function isNear(quote: ExchangeQuote, median: bigint): boolean {
  const difference = computeQuarters(quote) - median;
  return (difference < 0n ? -difference : difference) * HUNDRED_PERCENT <= median * MAX_DEVIATION;
}

/**
 * Computes the median mid price of the valid quotes within 2 % of their median. Null if fewer than
 * two remain. A minority of wrong quotes cannot move it beyond the right ones.
 */
export function combineQuotes(quotes: readonly ExchangeQuote[]): CombinedRate {
  const dropped: Dropped[] = [];
  const valid: ExchangeQuote[] = [];
  for (const quote of quotes.toSorted((a, b) => (a.source < b.source ? -1 : 1))) {
    const because = findDropReason(quote);
    if (because === null) valid.push(quote);
    else dropped.push({ source: quote.source, because });
  }
  const median = computeMedian(valid);
  const used = valid.filter((quote) => isNear(quote, median));
  for (const quote of valid) if (!used.includes(quote)) dropped.push({ source: quote.source, because: 'outlier' });
  const names = used.map(({ source }) => source);
  if (used.length < QUORUM) return { centsPerBtc: null, used: names, dropped };
  return { centsPerBtc: (computeMedian(used) + 2n) / 4n, used: names, dropped };
}
