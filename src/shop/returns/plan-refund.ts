/**
 * What the refund of a return covers. Directive 2011/83/EU, article 13(1) and (2): a withdrawal from everything also
 * returns the standard delivery, which is the only one that the shop charges.
 */
import type { Cents } from '#src/shop/money.ts';
import { countRefundable, isShippingLeft } from '#src/shop/refunds/lines/line-refund.ts';
import type { LinesToRefund, RefundableOrder } from '#src/shop/refunds/lines/line-refund.ts';
import type { ReturnCause, ReturnState } from './kinds.ts';

/** Units of an order line that are returned. */
export interface ReturnedLine {
  readonly position: number;
  readonly quantity: number;
  /** Never shipped. */
  readonly cancelled: number;
  readonly received: number;
  /** Conditions of the received units; together they are all of them once inspected. */
  readonly restocked: number;
  readonly damaged: number;
  readonly sentBack: number;
  /** What the shop keeps of the price of this line, with tax. */
  readonly deductionCents: Cents;
  /** Units of the order line that were stopped before shipping, with any return, and that no refund took. */
  readonly unrefundedStopped: number;
  /** Shipped units of the order line that are in a return and that no refund took. */
  readonly unrefundedReturning: number;
}

export const countUnitsToSend = (lines: readonly ReturnedLine[]): number =>
  lines.reduce((sum, { cancelled, quantity }) => sum + quantity - cancelled, 0);

interface ShippedUnits {
  readonly quantity: number;
  /** How many of them go on sale again. */
  readonly restocked: number;
}

/** Shipped units of a line whose price is returned, without those that were refunded by hand. */
function selectShipped(line: ReturnedLine, isInspected: boolean): ShippedUnits {
  const { cancelled, damaged, restocked, unrefundedReturning } = line;
  // A proof of sending is enough for a refund: of all units, which have not arrived yet.
  const accepted = isInspected ? restocked + damaged : line.quantity - cancelled;
  const quantity = Math.min(accepted, unrefundedReturning);
  return { quantity, restocked: isInspected ? Math.min(restocked, quantity) : 0 };
}

/** Stopped units of a line whose price is returned, in the same way. */
const countStopped = ({ cancelled, unrefundedStopped }: ReturnedLine): number => Math.min(cancelled, unrefundedStopped);

/** Units whose price is to be returned, without those that other refunds took. */
export const countUnitsToRefund = (state: ReturnState, lines: readonly ReturnedLine[]): number =>
  lines.reduce((sum, line) => sum + countStopped(line) + selectShipped(line, state === 'inspected').quantity, 0);

/** Of these, units that cost something, unless the whole order is refunded. */
export const countUnitsOwed = (
  state: ReturnState,
  lines: readonly (ReturnedLine & { readonly isSettled: boolean })[],
): number =>
  countUnitsToRefund(
    state,
    lines.filter(({ isSettled }) => !isSettled),
  );

/** Whether the units are all that no other refund took. */
function isEverything(order: RefundableOrder, units: LinesToRefund['units']): boolean {
  return order.lines.every((line) => {
    const { shipped, unshipped } = countRefundable(line);
    const taken = units.filter(({ position }) => position === line.position);
    return taken.reduce((sum, { quantity }) => sum + quantity, 0) === shipped + unshipped;
  });
}

/** The refund of a return, with its deductions. */
export function planRefund(
  {
    cause,
    lines,
    state,
  }: { readonly cause: ReturnCause; readonly lines: readonly ReturnedLine[]; readonly state: ReturnState },
  order: RefundableOrder,
): LinesToRefund {
  const isInspected = state === 'inspected';
  const units = lines.flatMap((line) => {
    const { position } = line;
    const stopped = countStopped(line);
    const shipped = selectShipped(line, isInspected);
    return [
      { position, isShipped: false, quantity: stopped, restocked: stopped },
      { position, isShipped: true, ...shipped },
    ].filter(({ quantity }) => quantity > 0);
  });
  const deductions = isInspected
    ? lines.flatMap(({ deductionCents, position }) =>
        deductionCents > 0n ? [{ position, cents: deductionCents }] : [],
      )
    : [];
  // An order of which nothing was shipped or is left to ship is refunded with its shipping, whatever the cause.
  const isUnshipped = order.lines.every(({ shippedQuantity }) => shippedQuantity === 0);
  return {
    units,
    deductions,
    shipping: isShippingLeft(order) && (cause === 'withdrawal' || isUnshipped) && isEverything(order, units),
  };
}
