import type { LedgerOutput } from './payment-state.ts';

/**
 * First-seen time of the last payment whose arrival time is uncertain: seen after the payment
 * window but possibly received within it, because the shop or its node was down. Null without one.
 */
export function findLastUncertain(outputs: readonly LedgerOutput[], expiresAt: Date): Date | null {
  let last: Date | null = null;
  for (const { arrivedAfter = null, firstSeen, isCoinbase, isLive } of outputs) {
    if (!isLive || isCoinbase || arrivedAfter === null) continue;
    const isInDoubt = firstSeen > expiresAt && arrivedAfter < expiresAt;
    if (isInDoubt && (last === null || firstSeen > last)) last = firstSeen;
  }
  return last;
}
