/** Units of a line that were taken before, and their amount. */
export interface Taken {
  readonly units: number;
  readonly amount: bigint;
}

/**
 * The part of a line's amount for `taken` more of its units. Parts of all units sum up to the amount, also
 * when earlier parts were given back. Never negative.
 */
export function computePart(amount: bigint, quantity: number, before: Taken, taken: number): bigint {
  const upTo = (amount * BigInt(before.units + taken)) / BigInt(quantity);
  return upTo > before.amount ? upTo - before.amount : 0n;
}

interface LineAmounts {
  readonly netCents: bigint;
  readonly taxCents: bigint;
}

/** The value, at least `least` and at most `most`. */
export const clamp = (value: bigint, least: bigint, most: bigint): bigint => {
  if (value < least) return least;
  return value > most ? most : value;
};

/**
 * Net and tax of `taken` more units of a line. The gross amount is divided first, so that units of one price
 * cost the same; parts of all units sum up to net and tax.
 */
export function computeLinePart(
  line: LineAmounts & { readonly quantity: number },
  before: LineAmounts & { readonly units: number },
  taken: number,
): LineAmounts {
  const { quantity } = line;
  const { units } = before;
  const grossBefore = before.netCents + before.taxCents;
  const gross = computePart(line.netCents + line.taxCents, quantity, { units, amount: grossBefore }, taken);
  const tax = computePart(line.taxCents, quantity, { units, amount: before.taxCents }, taken);
  const [netLeft, taxLeft] = [line.netCents - before.netCents, line.taxCents - before.taxCents];
  const least = gross > netLeft ? gross - netLeft : 0n;
  const taxCents = clamp(tax, least, gross < taxLeft ? gross : taxLeft);
  return { netCents: gross - taxCents, taxCents };
}
