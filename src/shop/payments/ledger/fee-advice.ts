import type { LedgerOutput } from './payment-state.ts';

/**
 * Whether an unconfirmed payment's fee is below the estimate for a day; false if unknown.
 * @param dayFeePerKvb the estimate in sats per 1,000 virtual bytes
 */
export function isFeeLow(
  { feePerKvb = null, height, isLive }: Pick<LedgerOutput, 'feePerKvb' | 'height' | 'isLive'>,
  dayFeePerKvb: bigint | null,
): boolean {
  return isLive && height === null && feePerKvb !== null && dayFeePerKvb !== null && feePerKvb < dayFeePerKvb;
}

/** Sats per virtual byte with at most two decimals, as wallets show it. */
export const toSatsPerVbyte = (perKvb: bigint | null | undefined): number | null =>
  perKvb === null || perKvb === undefined ? null : Number(perKvb / 10n) / 100;
