/** Less than that may be sent to no address: the network refuses it as dust. Pages take it along: it imports nothing. */
export const LEAST_REFUND_SATS = 294n;
export const LEAST_REFUND_BTC = 0.00000294;
