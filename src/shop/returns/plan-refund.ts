/**
 * What the refund of a return covers. Directive 2011/83/EU, article 13(1) and (2): a withdrawal from everything also
 * returns the standard delivery, which is the only one that the shop charges.
 */
import type { Cents } from '#src/shop/money.ts';
import { countRefundable } from '#src/shop/refunds/lines/line-refund.ts';
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
}

export const countUnitsToSend = (lines: readonly ReturnedLine[]): number =>
  lines.reduce((sum, { cancelled, quantity }) => sum + quantity - cancelled, 0);

/** Shipped units of a line whose price is returned, and how many of them go on sale again. */
function selectShipped(line: ReturnedLine, isInspected: boolean): { quantity: number; restocked: number } {
  const { cancelled, damaged, quantity, restocked } = line;
  // A proof of sending is enough for a refund: of all units, which have not arrived yet.
  return isInspected ? { quantity: restocked + damaged, restocked } : { quantity: quantity - cancelled, restocked: 0 };
}

export const countUnitsToRefund = (state: ReturnState, lines: readonly ReturnedLine[]): number =>
  lines.reduce((sum, line) => sum + line.cancelled + selectShipped(line, state === 'inspected').quantity, 0);

/** Units of an order line that were paid and that no refund took. */
interface OwedUnits {
  /** Stopped before shipping. */
  readonly owedStopped: number;
  /** Shipped, and in a return. */
  readonly owedReturning: number;
}

/** Units whose price is to be returned, less those that other refunds took. */
export const countUnitsOwed = (state: ReturnState, lines: readonly (ReturnedLine & OwedUnits)[]): number =>
  lines.reduce(
    (sum, line) =>
      sum +
      Math.min(line.cancelled, line.owedStopped) +
      Math.min(selectShipped(line, state === 'inspected').quantity, line.owedReturning),
    0,
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
    const { cancelled, position } = line;
    const shipped = selectShipped(line, isInspected);
    return [
      { position, isShipped: false, quantity: cancelled, restocked: cancelled },
      { position, isShipped: true, ...shipped },
    ].filter(({ quantity }) => quantity > 0);
  });
  const deductions = isInspected
    ? lines.flatMap(({ deductionCents, position }) =>
        deductionCents > 0n ? [{ position, cents: deductionCents }] : [],
      )
    : [];
  const { isRefunded, netCents, taxCents } = order.shipping;
  const isShippingLeft = !isRefunded && netCents + taxCents > 0n;
  // An order of which nothing was shipped or is left to ship is refunded with its shipping, whatever the cause.
  const isUnshipped = order.lines.every(({ shippedQuantity }) => shippedQuantity === 0);
  return {
    units,
    deductions,
    shipping: isShippingLeft && (cause === 'withdrawal' || isUnshipped) && isEverything(order, units),
  };
}
