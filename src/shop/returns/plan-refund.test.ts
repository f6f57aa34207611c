import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, NO_CENTS, NO_SATS, sats } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { computeAmountRefund, computeLineRefund } from '#src/shop/refunds/lines/line-refund.ts';
import type { LineRefund, RefundableOrder } from '#src/shop/refunds/lines/line-refund.ts';
import { countUnitsToRefund, countUnitsToSend, planRefund } from './plan-refund.ts';
import type { ReturnedLine } from './plan-refund.ts';

interface Bought {
  readonly quantity: number;
  readonly shipped: number;
  readonly net: bigint;
  readonly tax: bigint;
}

const createOrder = (bought: readonly Bought[], shipping: bigint): RefundableOrder => ({
  lines: bought.map(({ net, quantity, shipped, tax }, position) => ({
    position,
    quantity,
    shippedQuantity: Math.min(shipped, quantity),
    refundedShipped: 0,
    refundedUnshipped: 0,
    netCents: cents(net),
    taxCents: cents(tax),
    refundedNetCents: NO_CENTS,
    refundedTaxCents: NO_CENTS,
  })),
  shipping: { netCents: cents(shipping), taxCents: NO_CENTS, isRefunded: false },
  refundedSats: NO_SATS,
});

const phone: Bought = { quantity: 2, shipped: 2, net: 99_900n, tax: 18_981n };
const returned = (more: Partial<ReturnedLine> = {}): ReturnedLine => ({
  position: 0,
  quantity: 2,
  cancelled: 0,
  received: 2,
  restocked: 2,
  damaged: 0,
  sentBack: 0,
  deductionCents: NO_CENTS,
  unrefundedStopped: 9,
  unrefundedReturning: 9,
  ...more,
});

test('[RET-07] only a withdrawal from everything returns the delivery', () => {
  const order = createOrder([phone], 900n);
  const plan = (cause: 'withdrawal' | 'defect', more: Partial<ReturnedLine> = {}) =>
    planRefund({ cause, state: 'inspected', lines: [returned(more)] }, order).shipping;
  assert.equal(plan('withdrawal'), true);
  assert.equal(plan('defect'), false);
  assert.equal(plan('withdrawal', { quantity: 1, received: 1, restocked: 1 }), false, 'a part of the order');
  assert.equal(plan('withdrawal', { restocked: 1, sentBack: 1 }), false, 'a unit stays with the buyer');
  const free = createOrder([phone], 0n);
  assert.equal(planRefund({ cause: 'withdrawal', state: 'inspected', lines: [returned()] }, free).shipping, false);
});

test('[RET-07] a refund before the inspection covers all units and restocks none that were shipped', () => {
  const order = createOrder([{ ...phone, shipped: 1 }], 900n);
  const lines = [returned({ cancelled: 1, received: 0, restocked: 0, deductionCents: cents(500n) })];
  const plan = planRefund({ cause: 'withdrawal', state: 'in-transit', lines }, order);
  assert.deepEqual(plan, {
    units: [
      { position: 0, isShipped: false, quantity: 1, restocked: 1 },
      { position: 0, isShipped: true, quantity: 1, restocked: 0 },
    ],
    deductions: [],
    shipping: true,
  });
  assert.deepEqual([countUnitsToSend(lines), countUnitsToRefund('in-transit', lines)], [1, 2]);
});

test('[RET-07] units that were refunded by hand are not refunded by the return', () => {
  const order = createOrder([{ ...phone, quantity: 4, shipped: 2 }], 0n);
  const lines = [returned({ quantity: 4, cancelled: 2, unrefundedStopped: 1, unrefundedReturning: 1 })];
  const plan = planRefund({ cause: 'withdrawal', state: 'inspected', lines }, order);
  assert.deepEqual(plan.units, [
    { position: 0, isShipped: false, quantity: 1, restocked: 1 },
    { position: 0, isShipped: true, quantity: 1, restocked: 1 },
  ]);
  assert.equal(countUnitsToRefund('inspected', lines), 2);
  const none = [returned({ unrefundedStopped: 0, unrefundedReturning: 0 })];
  assert.deepEqual(planRefund({ cause: 'withdrawal', state: 'inspected', lines: none }, order).units, []);
});

test('[RET-07] a withdrawal returns what refunds of amounts left, also of the delivery', () => {
  const paid = sats(1_000_000n);
  fc.assert(
    fc.property(fc.nat(900), fc.nat(10_000), (shipping, share) => {
      const order = createOrder([{ ...phone, shipped: 0 }], BigInt(shipping));
      const total = 99_900n + 18_981n + BigInt(shipping);
      const taken = computeAmountRefund(order, paid, cents((total * BigInt(share)) / 10_000n));
      assert.ok(taken.ok);
      const left = { ...order, amounts: taken.parts, refundedSats: taken.debitSats };
      const lines = [returned({ cancelled: 2, received: 0, restocked: 0 })];
      const refund = computeLineRefund(left, paid, planRefund({ cause: 'withdrawal', state: 'approved', lines }, left));
      assert.ok(refund.ok, refund.ok ? '' : refund.reason);
      assert.equal(refund.totalCents, total - (total * BigInt(share)) / 10_000n);
    }),
  );
});

/** A return of some units of each line, each with a condition, and a share of the price that is deducted. */
const choice = fc.record({
  cause: fc.constantFrom('withdrawal' as const, 'defect' as const, 'courtesy' as const),
  lines: fc.array(
    fc.record({
      shipped: fc.nat(4),
      cancelled: fc.nat(4),
      damaged: fc.nat(4),
      sentBack: fc.nat(4),
      share: fc.nat(1000),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
type Choice = typeof choice extends fc.Arbitrary<infer Value> ? Value : never;

function toLines(order: RefundableOrder, { lines }: Choice): readonly ReturnedLine[] {
  return order.lines.map((line, position) => {
    const wanted = lines[position % lines.length] ?? assert.fail();
    const shipped = Math.min(wanted.shipped, line.shippedQuantity - line.refundedShipped);
    const cancelled = Math.min(wanted.cancelled, line.quantity - line.shippedQuantity - line.refundedUnshipped);
    const sentBack = Math.min(wanted.sentBack, shipped);
    const damaged = Math.min(wanted.damaged, shipped - sentBack);
    const restocked = shipped - sentBack - damaged;
    return {
      position,
      quantity: shipped + cancelled,
      cancelled,
      received: shipped,
      restocked,
      damaged,
      sentBack,
      deductionCents: NO_CENTS,
      unrefundedStopped: cancelled,
      unrefundedReturning: shipped,
    };
  });
}

const sumOf = (refund: LineRefund, position: number): bigint =>
  refund.units.filter((one) => one.position === position).reduce((sum, one) => sum + one.netCents + one.taxCents, 0n);

function refundReturn(order: RefundableOrder, one: Choice): { order: RefundableOrder; paid: Cents; kept: bigint } {
  const lines = toLines(order, one);
  const whole = computeLineRefund(order, sats(10n ** 9n), planRefund({ ...one, state: 'inspected', lines }, order));
  if (!whole.ok) return { order, paid: NO_CENTS, kept: 0n };
  const deducted = lines.map((line, at) => ({
    ...line,
    deductionCents: cents((sumOf(whole, line.position) * BigInt(one.lines[at % one.lines.length]?.share ?? 0)) / 1000n),
  }));
  const plan = planRefund({ ...one, state: 'inspected', lines: deducted }, order);
  const refund = computeLineRefund(order, sats(10n ** 9n), plan);
  assert.ok(refund.ok);
  const kept = refund.units.reduce((sum, unit) => sum + unit.deductedNetCents + unit.deductedTaxCents, 0n);
  assert.equal(
    kept,
    deducted.reduce((sum, { deductionCents }) => sum + deductionCents, 0n),
  );
  const restocked = plan.units.reduce((sum, unit) => sum + (unit.restocked ?? 0), 0);
  assert.equal(
    restocked,
    lines.reduce((sum, line) => sum + line.restocked + line.cancelled, 0),
  );
  const refunded = order.lines.map((line) => {
    const own = refund.units.filter(({ position }) => position === line.position);
    const count = (isShipped: boolean) =>
      own.reduce((sum, unit) => (unit.isShipped === isShipped ? sum + unit.quantity : sum), 0);
    return {
      ...line,
      refundedShipped: line.refundedShipped + count(true),
      refundedUnshipped: line.refundedUnshipped + count(false),
      refundedNetCents: cents(
        own.reduce((sum, u) => sum + u.netCents + u.deductedNetCents, BigInt(line.refundedNetCents)),
      ),
      refundedTaxCents: cents(
        own.reduce((sum, u) => sum + u.taxCents + u.deductedTaxCents, BigInt(line.refundedTaxCents)),
      ),
    };
  });
  return {
    order: {
      ...order,
      lines: refunded,
      deductedCents: cents((order.deductedCents ?? 0n) + kept),
      shipping: refund.shipping === null ? order.shipping : { ...order.shipping, isRefunded: true },
      refundedSats: sats(order.refundedSats + refund.debitSats),
    },
    paid: refund.totalCents,
    kept,
  };
}

test('[RET-07] refunds of returns never exceed what was paid, in any order of parts', () => {
  const bought = fc.record({
    quantity: fc.integer({ min: 1, max: 5 }),
    shipped: fc.nat(5),
    net: fc.bigInt(0n, 500_000n),
    tax: fc.bigInt(0n, 100_000n),
  });
  fc.assert(
    fc.property(
      fc.array(bought, { minLength: 1, maxLength: 4 }),
      fc.bigInt(0n, 3000n),
      fc.array(choice, { maxLength: 6 }),
      (lines, shipping, returns) => {
        const first = createOrder(lines, shipping);
        let order = first;
        let [paid, kept] = [0n, 0n];
        for (const one of returns) {
          const done = refundReturn(order, one);
          ({ order } = done);
          paid += done.paid;
          kept += done.kept;
        }
        const total = lines.reduce((sum, { net, tax }) => sum + net + tax, shipping);
        assert.ok(paid + kept <= total);
        assert.ok(order.refundedSats <= 10n ** 9n);
        // The rest, with the delivery, is what nothing took.
        const rest = order.lines.reduce(
          (sum, line) => sum + line.netCents + line.taxCents - line.refundedNetCents - line.refundedTaxCents,
          order.shipping.isRefunded ? 0n : shipping,
        );
        assert.equal(paid + kept + rest, total);
        for (const line of order.lines) assert.ok(line.refundedTaxCents <= line.taxCents);
      },
    ),
  );
});
