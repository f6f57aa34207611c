/**
 * Money: satoshis and US cents, as branded bigints that cannot be mixed. No floats: screens and the
 * API format them at the edge.
 */

declare const unit: unique symbol;

/** Satoshis. 1 BTC = 100,000,000 sats. */
export type Sats = bigint & { readonly [unit]: 'sats' };

/** US cents. */
export type Cents = bigint & { readonly [unit]: 'cents' };

/** US cents per bitcoin; always positive. */
export type CentsPerBtc = bigint & { readonly [unit]: 'cents-per-btc' };

export const SATS_PER_BTC = 100_000_000n;

/** Payable amounts are multiples of this, so that six decimals show them exactly. */
export const PAYABLE_STEP_SATS = 100n;

export const sats = (amount: bigint): Sats => amount as Sats;
export const cents = (amount: bigint): Cents => amount as Cents;
export const centsPerBtc = (amount: bigint): CentsPerBtc => {
  if (amount <= 0n) throw new RangeError('a rate must be positive');
  return amount as CentsPerBtc;
};

export const NO_SATS = sats(0n);
export const NO_CENTS = cents(0n);

/** Divides rounding up; dividend ≥ 0, divisor > 0. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Divides rounding to nearest, halves up; dividend ≥ 0, divisor > 0. */
export function divideNearest(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** Rounds an amount ≥ 0 up to a payable one. */
export function roundUpToPayable(amount: bigint): Sats {
  return sats(divideUp(amount, PAYABLE_STEP_SATS) * PAYABLE_STEP_SATS);
}

/**
 * Payable bitcoin price of cents ≥ 0 at a rate, rounded up once: 99900 cents at 11,100,000 cents
 * per bitcoin are 900,000 sats.
 */
export function convertCentsToSats(amountCents: Cents, rate: CentsPerBtc): Sats {
  return sats(divideUp(amountCents * SATS_PER_BTC, rate * PAYABLE_STEP_SATS) * PAYABLE_STEP_SATS);
}

export const addSats = (...amounts: readonly Sats[]): Sats => sumSats(amounts);

/** Safe for long lists: payers decide on the number of outputs. */
export function sumSats(amounts: readonly Sats[]): Sats {
  return sats(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n));
}

export function addCents(...amounts: readonly Cents[]): Cents {
  return cents(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n));
}

export function multiplySats(amount: Sats, quantity: number): Sats {
  return sats(amount * BigInt(quantity));
}

export function multiplyCents(amount: Cents, quantity: number): Cents {
  return cents(amount * BigInt(quantity));
}

/** a − b, at least zero. */
export function subtractSats(a: Sats, b: Sats): Sats {
  return a > b ? sats(a - b) : NO_SATS;
}

/** Exact, with two decimals: `1104.15`. */
export const formatDecimalUsd = (amount: Cents): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

/** Formats an amount ≥ 0 as BTC with exactly eight decimals, for BIP21 and wallets. */
export function formatDecimalBtc(amount: Sats): string {
  const digits = amount.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/**
 * Divides a total in proportion to the weights, in whole minor units. The parts add up to the total,
 * and each differs from its exact share by less than one unit. Without any weight, the last part is
 * the total.
 */
export function divideTotal(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map((_, at) => (at === weights.length - 1 ? total : 0n));
  let weightBefore = 0n;
  return weights.map((weight) => {
    const before = (total * weightBefore) / whole;
    weightBefore += weight;
    return (total * weightBefore) / whole - before;
  });
}
