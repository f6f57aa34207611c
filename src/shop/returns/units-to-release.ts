import type { ReturnedLine } from './plan-refund.ts';
import type { ReturnState } from './kinds.ts';

/** How a return ends. A void withdrawal is one that was never made, by agreement. */
export type ReturnEnd = 'refunded' | 'not-refunded' | 'void';

/**
 * Units of a return that ends and that stay with the buyer: all of them without a refund, otherwise those that were sent
 * back or never arrived. Units that were released when a former refund was made are not released again. Units that were
 * stopped before shipping stay stopped, since a withdrawal ended the contract, unless it is void.
 */
export function listUnitsToRelease(
  {
    isReleased,
    lines,
    state,
  }: { readonly isReleased: boolean; readonly lines: readonly ReturnedLine[]; readonly state: ReturnState },
  end: ReturnEnd,
): readonly { readonly position: number; readonly quantity: number; readonly cancelled: number }[] {
  return lines.flatMap(({ cancelled, damaged, position, quantity, restocked }) => {
    const shipped = quantity - cancelled;
    const kept = state === 'inspected' ? restocked + damaged : shipped;
    const released = isReleased ? shipped - restocked - damaged : 0;
    const units = shipped - (end === 'refunded' ? kept : 0) - released;
    const stopped = end === 'void' ? cancelled : 0;
    return units + stopped > 0 ? [{ position, quantity: units + stopped, cancelled: stopped }] : [];
  });
}

interface SerialLine {
  readonly position: number;
  readonly serials: readonly { readonly number: string; readonly isSentBack: boolean }[];
}

/** Numbers of the units of `listUnitsToRelease` that arrived. */
export const listSerialsToRelease = (
  { isReleased, lines }: { readonly isReleased: boolean; readonly lines: readonly SerialLine[] },
  end: ReturnEnd,
): readonly { readonly position: number; readonly numbers: readonly string[] }[] =>
  lines.map(({ position, serials }) => ({
    position,
    numbers: serials
      .filter(({ isSentBack }) => (isSentBack ? !isReleased : end !== 'refunded'))
      .map(({ number }) => number),
  }));
