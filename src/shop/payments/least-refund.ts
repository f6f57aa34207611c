/**
 * Less than that may be sent to no address: the network refuses it as dust. To some addresses it must be more. Pages take it
 * along: it imports nothing.
 */
export const LEAST_REFUND_SATS = 294n;
export const LEAST_REFUND_BTC = 0.00000294;
