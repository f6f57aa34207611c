import type { LedgerOutput } from './payment-state.ts';

/**
 * The shop could not look when some payments arrived: it was down, or its node was. Of live outputs that were first seen
 * after the window closed and may have arrived within it, answers when the last was first seen; null while there is none.
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
