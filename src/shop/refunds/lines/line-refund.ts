/** Which units of an order can be refunded, and what they cost. Has no imports of stores: pages compute with it. */
import { cents, NO_CENTS, NO_SATS, sats, subtractSats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { computeLinePart } from './compute-part.ts';

/** A line of an order with what refunds took of it. */
export interface RefundableLine {
  readonly position: number;
  readonly quantity: number;
  readonly shippedQuantity: number;
  readonly refundedUnshipped: number;
  readonly refundedShipped: number;
  /** What all units cost the buyer. */
  readonly netCents: Cents;
  readonly taxCents: Cents;
  readonly refundedNetCents: Cents;
  readonly refundedTaxCents: Cents;
}

export interface RefundableOrder {
  readonly lines: readonly RefundableLine[];
  readonly shipping: {
    readonly netCents: Cents;
    readonly taxCents: Cents;
    readonly isRefunded: boolean;
  };
  /** Sum of the refunds of lines. */
  readonly refundedSats: Sats;
}

/** Units of a line to refund. */
export interface UnitsToRefund {
  readonly position: number;
  readonly isShipped: boolean;
  readonly quantity: number;
}

export interface LinesToRefund {
  readonly units: readonly UnitsToRefund[];
  /** Whether the shipping is refunded too. */
  readonly shipping: boolean;
}

export interface RefundedUnits extends UnitsToRefund {
  readonly netCents: Cents;
  readonly taxCents: Cents;
}

export type LineProblem = 'too-many-units' | 'shipping-refunded' | 'shipping-due';

export interface LineRefund {
  readonly ok: true;
  readonly units: readonly RefundedUnits[];
  readonly shipping: { readonly netCents: Cents; readonly taxCents: Cents } | null;
  /** What units and shipping cost the buyer, with tax. */
  readonly totalCents: Cents;
  readonly debitSats: Sats;
}

/** Units that no refund took: those on the shelf, and those that were shipped. */
export const countRefundable = (line: RefundableLine) => ({
  unshipped: line.quantity - line.shippedQuantity - line.refundedUnshipped,
  shipped: line.shippedQuantity - line.refundedShipped,
});

const sumCents = (amounts: readonly { readonly netCents: Cents; readonly taxCents: Cents }[]): bigint =>
  amounts.reduce((sum, { netCents, taxCents }) => sum + netCents + taxCents, 0n);

/** Shipping for which something was charged. */
const isShippingLeft = ({ shipping }: RefundableOrder): boolean =>
  !shipping.isRefunded && shipping.netCents + shipping.taxCents > 0n;

/** Whether all units and the shipping are refunded. */
export const isFullyRefunded = (order: RefundableOrder): boolean =>
  !isShippingLeft(order) && order.lines.every(hasNoUnitsLeft);

function hasNoUnitsLeft(line: RefundableLine): boolean {
  const { shipped, unshipped } = countRefundable(line);
  return shipped === 0 && unshipped === 0;
}

const countUnits = (units: readonly UnitsToRefund[]): number => units.reduce((sum, { quantity }) => sum + quantity, 0);

const isSame = (a: UnitsToRefund, b: UnitsToRefund): boolean =>
  a.position === b.position && a.isShipped === b.isShipped;

function findProblem(order: RefundableOrder, { shipping, units }: LinesToRefund): LineProblem | null {
  for (const one of units) {
    const line = order.lines.find(({ position }) => position === one.position);
    const wanted = countUnits(units.filter((other) => isSame(one, other)));
    const left = line === undefined ? 0 : countRefundable(line)[one.isShipped ? 'shipped' : 'unshipped'];
    if (one.quantity < 1 || wanted > left) return 'too-many-units';
  }
  if (shipping && !isShippingLeft(order)) return 'shipping-refunded';
  // An order of which nothing is shipped or left to ship is refunded with its shipping.
  const isUnshipped = order.lines.every(({ shippedQuantity }) => shippedQuantity === 0);
  const left = order.lines.reduce((sum, line) => sum + countRefundable(line).unshipped, 0) - countUnits(units);
  return isUnshipped && left === 0 && !shipping && isShippingLeft(order) ? 'shipping-due' : null;
}

/** The amounts of units, each row after the rows before it. */
function computeUnits(order: RefundableOrder, units: readonly UnitsToRefund[]): readonly RefundedUnits[] {
  const rows: RefundedUnits[] = [];
  for (const one of units) {
    const line = order.lines.find(({ position }) => position === one.position);
    if (line === undefined) continue;
    const earlier = rows.filter(({ position }) => position === one.position);
    const before = line.refundedShipped + line.refundedUnshipped + countUnits(earlier);
    const netCents = earlier.reduce((sum, row) => sum + row.netCents, BigInt(line.refundedNetCents));
    const taxCents = earlier.reduce((sum, row) => sum + row.taxCents, BigInt(line.refundedTaxCents));
    const part = computeLinePart(line, { units: before, netCents, taxCents }, one.quantity);
    rows.push({ ...one, netCents: cents(part.netCents), taxCents: cents(part.taxCents) });
  }
  return rows;
}

/**
 * What a refund of units takes: in cents what they cost, in satoshis the same share of the settled amount.
 * Refunds of all units and the shipping sum up to that amount, in any order.
 * @param settledSats what the order was paid with, without a surplus
 */
export function computeLineRefund(
  order: RefundableOrder,
  settledSats: Sats,
  request: LinesToRefund,
): LineRefund | { readonly ok: false; readonly reason: LineProblem } {
  const reason = findProblem(order, request);
  if (reason !== null) return { ok: false, reason };
  const units = computeUnits(order, request.units);
  const { isRefunded, ...shippingAmounts } = order.shipping;
  const shipping = request.shipping ? shippingAmounts : null;
  const total = sumCents([...order.lines, order.shipping]);
  const refunded =
    order.lines.reduce((sum, line) => sum + line.refundedNetCents + line.refundedTaxCents, 0n) +
    (isRefunded ? sumCents([order.shipping]) : 0n);
  const totalCents = cents(sumCents(units) + (shipping === null ? 0n : sumCents([shipping])));
  const upTo = total === 0n ? NO_SATS : sats((settledSats * (refunded + totalCents)) / total);
  const debitSats = totalCents === NO_CENTS ? NO_SATS : subtractSats(upTo, order.refundedSats);
  return { ok: true, units, shipping, totalCents, debitSats };
}
