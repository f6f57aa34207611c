/**
 * Less than that may be sent to no address: the network refuses it as dust. To some addresses it must be more. Pages take it
 * along: it imports nothing.
 */
export const MIN_REFUND_SATS = 294n;
/** So much may be sent to every address: pay to public key hash asks for the most. */
export const MIN_REFUND_TO_ANY_ADDRESS_SATS = 546n;
export const MIN_REFUND_BTC = 0.00000294;
