import { sats } from '../money.ts';
import type { Sats } from '../money.ts';

/** Less than that may be sent to no address: the network refuses it as dust. */
export const LEAST_REFUND_SATS: Sats = sats(294n);
