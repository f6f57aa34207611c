import type { ReturnedLine } from './plan-refund.ts';
import type { ReturnCause, ReturnState } from './kinds.ts';

/**
 * How a return ends. A void withdrawal is one that was never made, by agreement. A withdrawal that is closed was
 * refunded by hand or cost nothing.
 */
export type ReturnEnd = 'refunded' | 'not-refunded' | 'void';

/** Whether the shop keeps the units that it accepted. */
const keepsUnits = (cause: ReturnCause, end: ReturnEnd): boolean =>
  end === 'refunded' || (end === 'not-refunded' && cause === 'withdrawal');

/** Whether units that went back to the buyer are released once the return has ended: nothing is, before they arrive. */
export const isReleasedAfter = (
  {
    cause,
    isReleased,
    state,
  }: { readonly cause: ReturnCause; readonly isReleased: boolean; readonly state: ReturnState },
  end: ReturnEnd,
): boolean => isReleased || state === 'inspected' || !keepsUnits(cause, end);

/**
 * Units of a return that ends and that stay with the buyer: those that were sent back or never arrived, and all others
 * that the shop does not keep. Units that were released when a former refund was made are not released again. Units that were
 * stopped before shipping stay stopped, since a withdrawal ended the contract, unless it is void.
 */
export function listUnitsToRelease(
  {
    cause,
    isReleased,
    lines,
    state,
  }: {
    readonly cause: ReturnCause;
    readonly isReleased: boolean;
    readonly lines: readonly Omit<ReturnedLine, 'unrefundedStopped' | 'unrefundedReturning'>[];
    readonly state: ReturnState;
  },
  end: ReturnEnd,
): readonly { readonly position: number; readonly quantity: number; readonly cancelled: number }[] {
  return lines.flatMap(({ cancelled, damaged, position, quantity, restocked }) => {
    const shipped = quantity - cancelled;
    const kept = state === 'inspected' ? restocked + damaged : shipped;
    const released = isReleased ? shipped - restocked - damaged : 0;
    const units = shipped - (keepsUnits(cause, end) ? kept : 0) - released;
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
  {
    cause,
    isReleased,
    lines,
  }: { readonly cause: ReturnCause; readonly isReleased: boolean; readonly lines: readonly SerialLine[] },
  end: ReturnEnd,
): readonly { readonly position: number; readonly numbers: readonly string[] }[] =>
  lines.map(({ position, serials }) => ({
    position,
    numbers: serials
      .filter(({ isSentBack }) => (isSentBack ? !isReleased : !keepsUnits(cause, end)))
      .map(({ number }) => number),
  }));
