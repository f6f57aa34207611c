import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';

/** How much an amount may be short of what is due and is still accepted as the whole. One of both is 0. */
export interface PaymentTolerance {
  readonly sats: bigint;
  /** Hundredths of a percent of what is due. */
  readonly basisPoints: bigint;
}

export const NO_TOLERANCE: PaymentTolerance = { sats: 0n, basisPoints: 0n };

/** Whatever the setting says, no order is paid with less than nine tenths of what is due. */
const MAX_SHARE_DIVISOR = 10n;
const ALL = 10_000n;

/** The tolerance of a quote in sats, rounded down: kept with the quote, so that a later setting does not change it. */
export function computeToleranceSats({ sats: fixed, basisPoints }: PaymentTolerance, dueSats: Sats): Sats {
  const asked = fixed + (dueSats * basisPoints) / ALL;
  const most = dueSats / MAX_SHARE_DIVISOR;
  return sats(asked < most ? asked : most);
}
