import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';

/** How far an accepted payment may be below the amount due. `sats` or `basisPoints` is 0. */
export interface PaymentTolerance {
  readonly sats: bigint;
  /** Hundredths of a percent of the amount due. */
  readonly basisPoints: bigint;
  /** Dust limit of the shop's addresses: a rest below it can't be sent and is always tolerated. */
  readonly dustSats: bigint;
}

export const NO_TOLERANCE: PaymentTolerance = { sats: 0n, basisPoints: 0n, dustSats: 0n };

/** Upper limit: an accepted payment is at least nine tenths of the amount due. */
const MAX_SHARE_DIVISOR = 10n;
const ALL = 10_000n;

/**
 * Tolerance of a quote in sats, rounded down. Stored with the quote, so later settings do not
 * change it.
 */
export function computeToleranceSats({ sats: fixed, basisPoints, dustSats }: PaymentTolerance, dueSats: Sats): Sats {
  const chosen = fixed + (dueSats * basisPoints) / ALL;
  const tolerance = chosen < dustSats ? dustSats - 1n : chosen;
  const most = dueSats / MAX_SHARE_DIVISOR;
  return sats(tolerance < most ? tolerance : most);
}
