/** Which units of an order can be refunded, and what they cost. Has no imports of stores: pages compute with it. */
import { cents, NO_CENTS, NO_SATS, sats, subtractSats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { clamp, computeLinePart } from './compute-part.ts';

/** What a refund of an amount takes of a line. */
export interface AmountPart {
  /** Null: of the shipping. */
  readonly position: number | null;
  readonly netCents: Cents;
  readonly taxCents: Cents;
}

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
  /** With what was deducted for units that came back damaged. */
  readonly refundedNetCents: Cents;
  readonly refundedTaxCents: Cents;
}

export interface RefundableOrder {
  readonly lines: readonly RefundableLine[];
  readonly shipping: {
    readonly netCents: Cents;
    readonly taxCents: Cents;
    readonly isRefunded: boolean;
    /** What refunds of lines took of it; omitted: all of it if it is refunded. */
    readonly refundedNetCents?: Cents;
    readonly refundedTaxCents?: Cents;
  };
  /** Parts of refunds of amounts; omitted: none. Units that are left cost that much less. */
  readonly amounts?: readonly AmountPart[];
  /** What the shop keeps of refunded units, with tax; omitted: nothing. */
  readonly deductedCents?: Cents;
  /** Sum of the refunds of lines and of amounts. */
  readonly refundedSats: Sats;
}

/** Units of a line to refund. */
export interface UnitsToRefund {
  readonly position: number;
  readonly isShipped: boolean;
  readonly quantity: number;
  /** How many of them go on sale again; omitted: all or none, as the refund says. */
  readonly restocked?: number | undefined;
}

/** What the shop keeps of the price of refunded units of a line, with tax. */
interface Deduction {
  readonly position: number;
  readonly cents: Cents;
}

export interface LinesToRefund {
  readonly units: readonly UnitsToRefund[];
  /** At most one for each line; omitted: none. */
  readonly deductions?: readonly Deduction[] | undefined;
  /** Whether the shipping is refunded too. */
  readonly shipping: boolean;
}

export interface RefundedUnits extends UnitsToRefund {
  /** What is returned for them. */
  readonly netCents: Cents;
  readonly taxCents: Cents;
  /** What the shop keeps of their price. */
  readonly deductedNetCents: Cents;
  readonly deductedTaxCents: Cents;
}

export type LineProblem = 'too-many-units' | 'shipping-refunded' | 'shipping-due' | 'deduction-too-large';

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

interface Amounts {
  readonly netCents: Cents;
  readonly taxCents: Cents;
}

const toGross = ({ netCents, taxCents }: Amounts): bigint => netCents + taxCents;

/** What refunds of amounts took of a line; null: of the shipping. */
function sumAmounts({ amounts = [] }: RefundableOrder, position: number | null): Amounts {
  const parts = amounts.filter((part) => part.position === position);
  const sum = (key: keyof Amounts): Cents => cents(parts.reduce((all, part) => all + part[key], 0n));
  return { netCents: sum('netCents'), taxCents: sum('taxCents') };
}

const subtract = (from: Amounts, ...taken: readonly Amounts[]): Amounts => {
  const left = (key: keyof Amounts): Cents => {
    const rest = taken.reduce((amount, one) => amount - one[key], BigInt(from[key]));
    return rest > 0n ? cents(rest) : NO_CENTS;
  };
  return { netCents: left('netCents'), taxCents: left('taxCents') };
};

/** The shipping without what refunds of amounts took of it. */
const reduceShipping = (order: RefundableOrder): Amounts => subtract(order.shipping, sumAmounts(order, null));

function readRefundedShipping(order: RefundableOrder): Amounts {
  const { isRefunded, refundedNetCents, refundedTaxCents } = order.shipping;
  if (refundedNetCents !== undefined && refundedTaxCents !== undefined)
    return { netCents: refundedNetCents, taxCents: refundedTaxCents };
  return isRefunded ? reduceShipping(order) : { netCents: NO_CENTS, taxCents: NO_CENTS };
}

const readRefundedUnits = (line: RefundableLine): Amounts => ({
  netCents: line.refundedNetCents,
  taxCents: line.refundedTaxCents,
});

/** What no refund took of each line and of the shipping, which comes last. */
function listLeft(order: RefundableOrder): readonly AmountPart[] {
  return [
    ...order.lines.map((line) => ({
      position: line.position,
      ...subtract(line, readRefundedUnits(line), sumAmounts(order, line.position)),
    })),
    { position: null, ...subtract(order.shipping, readRefundedShipping(order), sumAmounts(order, null)) },
  ];
}

/** What the order cost, what no refund took of it, and what the shop keeps of refunded units. */
export function computeOrderAmounts(order: RefundableOrder): {
  readonly totalCents: Cents;
  readonly leftCents: Cents;
  readonly deductedCents: Cents;
} {
  const totalCents = cents(sumCents([...order.lines, order.shipping]));
  return { totalCents, leftCents: cents(sumCents(listLeft(order))), deductedCents: order.deductedCents ?? NO_CENTS };
}

/** Shipping for which something was charged that no refund took, also none of an amount. */
export const isShippingLeft = (order: RefundableOrder): boolean =>
  !order.shipping.isRefunded && toGross(reduceShipping(order)) > 0n;

/** Whether all units and the shipping are refunded without a deduction, or all that they cost. */
export function isFullyRefunded(order: RefundableOrder): boolean {
  const { deductedCents, leftCents, totalCents } = computeOrderAmounts(order);
  if (deductedCents > 0n) return false;
  return (totalCents > 0n && leftCents === 0n) || (!isShippingLeft(order) && order.lines.every(hasNoUnitsLeft));
}

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
    const reduced = { quantity: line.quantity, ...subtract(line, sumAmounts(order, one.position)) };
    const part = computeLinePart(reduced, { units: before, netCents, taxCents }, one.quantity);
    const amounts = { netCents: cents(part.netCents), taxCents: cents(part.taxCents) };
    rows.push({ ...one, ...amounts, deductedNetCents: NO_CENTS, deductedTaxCents: NO_CENTS });
  }
  return rows;
}

/** The part of an amount with tax that is tax, in proportion to net and tax. */
function computeTaxPart(amount: bigint, { netCents, taxCents }: Amounts): bigint {
  const gross = netCents + taxCents;
  const tax = (2n * amount * taxCents + gross) / (2n * gross);
  return clamp(tax, amount > netCents ? amount - netCents : 0n, amount < taxCents ? amount : taxCents);
}

/** The units of each line with less of their price, tax in proportion; null if a deduction is more than they cost. */
function deduct(units: readonly RefundedUnits[], deductions: readonly Deduction[]): readonly RefundedUnits[] | null {
  const left = new Map<number, bigint>(deductions.map((one) => [one.position, one.cents]));
  const reduced = units.map((one) => {
    const wanted = left.get(one.position) ?? 0n;
    const gross = toGross(one);
    const taken = wanted < gross ? wanted : gross;
    left.set(one.position, wanted - taken);
    if (taken === 0n) return one;
    const tax = computeTaxPart(taken, one);
    return {
      ...one,
      netCents: cents(one.netCents - (taken - tax)),
      taxCents: cents(one.taxCents - tax),
      deductedNetCents: cents(taken - tax),
      deductedTaxCents: cents(tax),
    };
  });
  return [...left.values()].some((rest) => rest > 0n) ? null : reduced;
}

/**
 * What a refund of units takes: in cents what they cost less deductions, in satoshis the same share of the settled
 * amount. Refunds of all units and the shipping sum up to that amount without the deductions, in any order.
 * @param settledSats what the order was paid with, without a surplus
 */
export function computeLineRefund(
  order: RefundableOrder,
  settledSats: Sats,
  request: LinesToRefund,
): LineRefund | { readonly ok: false; readonly reason: LineProblem } {
  const reason = findProblem(order, request);
  if (reason !== null) return { ok: false, reason };
  const units = deduct(computeUnits(order, request.units), request.deductions ?? []);
  if (units === null) return { ok: false, reason: 'deduction-too-large' };
  const shipping = request.shipping ? reduceShipping(order) : null;
  const totalCents = cents(sumCents(units) + (shipping === null ? 0n : toGross(shipping)));
  return { ok: true, units, shipping, totalCents, debitSats: computeShare(order, settledSats, totalCents) };
}

/**
 * The share of the settled satoshis for more of the dollars. Shares of all dollars sum up to it, in any order and
 * however they are refunded.
 */
function computeShare(order: RefundableOrder, settledSats: Sats, amountCents: Cents): Sats {
  const { deductedCents, leftCents, totalCents } = computeOrderAmounts(order);
  if (totalCents === 0n || amountCents === NO_CENTS) return NO_SATS;
  const upTo = sats((settledSats * (totalCents - leftCents - deductedCents + amountCents)) / totalCents);
  return subtractSats(upTo, order.refundedSats);
}

/** The settled satoshis that the shop keeps for deductions: the rest when all dollars are refunded. */
export function computeDeductedSats(order: RefundableOrder, settledSats: Sats): Sats {
  const { deductedCents, totalCents } = computeOrderAmounts(order);
  if (deductedCents === NO_CENTS || totalCents === NO_CENTS) return NO_SATS;
  return sats(settledSats - (settledSats * (totalCents - deductedCents)) / totalCents);
}

export interface AmountRefund {
  readonly ok: true;
  /** Net and tax by line; they sum up to the amount. */
  readonly parts: readonly AmountPart[];
  readonly debitSats: Sats;
}

/**
 * What a refund of an amount takes of each line, in proportion to what is left of them, and of the settled
 * satoshis. Net and tax of a line are divided in proportion too, to the cent.
 */
export function computeAmountRefund(
  order: RefundableOrder,
  settledSats: Sats,
  amountCents: Cents,
): AmountRefund | { readonly ok: false; readonly reason: 'too-much' } {
  const left = listLeft(order);
  const all = sumCents(left);
  if (amountCents > all) return { ok: false, reason: 'too-much' };
  let before = 0n;
  const parts = left.flatMap((line): AmountPart[] => {
    const gross = toGross(line);
    if (gross === 0n) return [];
    const amount = (amountCents * (before + gross)) / all - (amountCents * before) / all;
    before += gross;
    if (amount === 0n) return [];
    const taxCents = computeTaxPart(amount, line);
    return [{ position: line.position, netCents: cents(amount - taxCents), taxCents: cents(taxCents) }];
  });
  return { ok: true, parts, debitSats: computeShare(order, settledSats, amountCents) };
}
