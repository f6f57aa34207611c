/**
 * Minimum refund (dust limit); some addresses need more. Has no imports, so the browser can bundle
 * it.
 */
export const MIN_REFUND_SATS = 294n;
/** Dust limit of pay-to-pubkey-hash, the highest of all address types. */
export const MIN_REFUND_TO_ANY_ADDRESS_SATS = 546n;
export const MIN_REFUND_BTC = 0.00000294;

/** What a buyer is asked for: an amount below the dust limit can't be sent. Nothing stays nothing. */
export const toSendableSats = (amount: bigint): bigint =>
  amount > 0n && amount < MIN_REFUND_SATS ? MIN_REFUND_SATS : amount;
