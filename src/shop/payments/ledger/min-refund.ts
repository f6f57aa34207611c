/**
 * Minimum refund (dust limit); some addresses need more. Has no imports, so the browser can bundle
 * it.
 */
export const MIN_REFUND_SATS = 294n;
/** Dust limit of pay-to-pubkey-hash, the highest of all address types. */
export const MIN_REFUND_TO_ANY_ADDRESS_SATS = 546n;
export const MIN_REFUND_BTC = 0.00000294;

/** Letters after the prefix of a native SegWit address with a 20-byte and a 32-byte program (BIP173, BIP350). */
const SEGWIT_DUST_SATS: Readonly<Record<number, bigint>> = { 39: MIN_REFUND_SATS, 59: 330n };

/** Dust limit of an address of the shop, by its type; the highest one for an unknown type. */
export const getDustLimit = (address: string): bigint =>
  SEGWIT_DUST_SATS[address.length - address.lastIndexOf('1') - 1] ?? MIN_REFUND_TO_ANY_ADDRESS_SATS;

/**
 * What a buyer is asked for: an amount below the dust limit can't be sent. Nothing stays nothing.
 * @param address where the buyer pays
 */
export function toSendableSats(amount: bigint, address: string): bigint {
  const least = getDustLimit(address);
  return amount > 0n && amount < least ? least : amount;
}
