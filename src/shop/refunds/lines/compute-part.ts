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
