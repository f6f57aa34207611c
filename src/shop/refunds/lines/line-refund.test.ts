import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, NO_CENTS, NO_SATS, sats } from '#src/shop/money.ts';
import { computePart } from './compute-part.ts';
import { computeDeductedSats, computeLineRefund, countRefundable, isFullyRefunded } from './line-refund.ts';
import type { LineRefund, LinesToRefund, RefundableOrder, UnitsToRefund } from './line-refund.ts';

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
    shippedQuantity: Math.min(quantity, shipped),
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

const sumDeducted = ({ units }: LineRefund): bigint =>
  units.reduce((sum, one) => sum + one.deductedNetCents + one.deductedTaxCents, 0n);

/** The order after a refund was made (1) or withdrawn (-1). */
function apply(order: RefundableOrder, refund: LineRefund, sign: 1 | -1): RefundableOrder {
  const add = (a: bigint, b: bigint): bigint => a + BigInt(sign) * b;
  return {
    lines: order.lines.map((line) => {
      const changed = { ...line };
      for (const one of refund.units.filter(({ position }) => position === line.position)) {
        const key = one.isShipped ? 'refundedShipped' : 'refundedUnshipped';
        changed[key] += sign * one.quantity;
        changed.refundedNetCents = cents(add(changed.refundedNetCents, one.netCents + one.deductedNetCents));
        changed.refundedTaxCents = cents(add(changed.refundedTaxCents, one.taxCents + one.deductedTaxCents));
      }
      return changed;
    }),
    shipping: refund.shipping === null ? order.shipping : { ...order.shipping, isRefunded: sign === 1 },
    deductedCents: cents(add(order.deductedCents ?? NO_CENTS, sumDeducted(refund))),
    refundedSats: sats(add(order.refundedSats, refund.debitSats)),
  };
}

const bought = fc.record({
  quantity: fc.integer({ min: 1, max: 7 }),
  shipped: fc.nat(7),
  net: fc.bigInt(0n, 1_000_000n),
  tax: fc.bigInt(0n, 200_000n),
});
const boughtLines = fc.array(bought, { minLength: 1, maxLength: 5 });
const amounts = fc.record({ shipping: fc.bigInt(0n, 2000n), settled: fc.bigInt(1n, 50_000_000_000n) });
/** A refund of some units, or the withdrawal of an earlier one. */
const step = fc.record({
  picks: fc.array(fc.tuple(fc.nat(4), fc.boolean(), fc.integer({ min: 1, max: 4 })), { maxLength: 4 }),
  shipping: fc.boolean(),
  withdraws: fc.option(fc.nat(5)),
});

const toRequest = (
  order: RefundableOrder,
  { picks, shipping }: { picks: [number, boolean, number][]; shipping: boolean },
) => {
  const units = new Map<string, UnitsToRefund>();
  for (const [index, isShipped, quantity] of picks) {
    const position = index % order.lines.length;
    units.set(`${position} ${isShipped}`, { position, isShipped, quantity });
  }
  return { units: [...units.values()], shipping };
};

const listEverything = (order: RefundableOrder): LinesToRefund => ({
  units: order.lines.flatMap((line) => {
    const { shipped, unshipped } = countRefundable(line);
    return [
      ...(shipped > 0 ? [{ position: line.position, isShipped: true, quantity: shipped }] : []),
      ...(unshipped > 0 ? [{ position: line.position, isShipped: false, quantity: unshipped }] : []),
    ];
  }),
  shipping: !order.shipping.isRefunded && order.shipping.netCents > 0n,
});

const sumTotal = ({ lines, shipping }: RefundableOrder): bigint =>
  [...lines, shipping].reduce((sum, { netCents, taxCents }) => sum + netCents + taxCents, 0n);

test('[PAY-13] refunds of lines sum up to the settled amount, in any order', () => {
  fc.assert(
    fc.property(boughtLines, amounts, fc.array(step, { maxLength: 12 }), (lines, { settled, shipping }, steps) => {
      const first = createOrder(lines, shipping);
      let order = first;
      let made: LineRefund[] = [];
      for (const one of steps) {
        const withdrawn = one.withdraws === null ? undefined : made[one.withdraws];
        if (withdrawn !== undefined) {
          made = made.filter((refund) => refund !== withdrawn);
          order = apply(order, withdrawn, -1);
        }
        const refund = computeLineRefund(order, sats(settled), toRequest(order, one));
        if (!refund.ok) continue;
        made.push(refund);
        order = apply(order, refund, 1);
        assert.ok(order.refundedSats <= settled);
      }
      const rest = computeLineRefund(order, sats(settled), listEverything(order));
      assert.ok(rest.ok);
      const all = [...made, rest];
      assert.ok(isFullyRefunded(apply(order, rest, 1)));
      assert.equal(
        all.reduce((sum, { totalCents }) => sum + totalCents, 0n),
        sumTotal(first),
      );
      // Without a price there is no share.
      if (rest.totalCents > 0n)
        assert.equal(
          all.reduce((sum, { debitSats }) => sum + debitSats, 0n),
          settled,
        );
    }),
  );
});

test('[PAY-13] more units are refunded with at least as much', () => {
  fc.assert(
    fc.property(boughtLines, amounts, step, fc.nat(4), (lines, { settled, shipping }, { picks }, more) => {
      const order = createOrder(lines, shipping);
      const few = toRequest(order, { picks, shipping: false });
      const [target] = few.units;
      if (target === undefined) return;
      const many = {
        ...few,
        units: few.units.map((one) => (one === target ? { ...one, quantity: one.quantity + more } : one)),
      };
      const [a, b] = [computeLineRefund(order, sats(settled), few), computeLineRefund(order, sats(settled), many)];
      if (!a.ok || !b.ok) return;
      assert.ok(b.debitSats >= a.debitSats && b.totalCents >= a.totalCents);
    }),
  );
});

test('[PAY-13] the parts of a line sum up to it, also after a part returned', () => {
  assert.deepEqual(
    [1, 1, 1].map((taken, units) => computePart(100n, 3, { units, amount: [0n, 33n, 66n][units] ?? 0n }, taken)),
    [33n, 33n, 34n],
  );
  assert.equal(computePart(1n, 3, { units: 1, amount: 1n }, 1), 0n, 'never negative');
});

test('[PAY-13] units of one price cost the same, with the tax of the line', () => {
  const order = createOrder([{ quantity: 3, shipped: 0, net: 251_849n, tax: 47_851n }], 0n);
  const refund = computeLineRefund(order, sats(1n), {
    units: [{ position: 0, isShipped: false, quantity: 1 }],
    shipping: false,
  });
  assert.ok(refund.ok && refund.totalCents === 99_900n);
  assert.equal(refund.units[0]?.taxCents, 15_950n);
});

test('[PAY-13] no unit is refunded twice, and shipping goes with the last units', () => {
  const order = createOrder([{ quantity: 2, shipped: 0, net: 1000n, tax: 190n }], 500n);
  const refund = (units: number, shipping: boolean, of = order, isShipped = false) =>
    computeLineRefund(of, sats(1690n), { units: [{ position: 0, isShipped, quantity: units }], shipping });
  assert.deepEqual(refund(3, true), { ok: false, reason: 'too-many-units' });
  assert.deepEqual(refund(1, true, order, true), { ok: false, reason: 'too-many-units' });
  assert.deepEqual(refund(2, false), { ok: false, reason: 'shipping-due' });
  const one = refund(1, true);
  assert.ok(one.ok && one.debitSats === 1095n && one.totalCents === 1095n);
  const left = apply(order, one, 1);
  assert.deepEqual(refund(1, true, left), { ok: false, reason: 'shipping-refunded' });
  assert.deepEqual(refund(2, false, left), { ok: false, reason: 'too-many-units' });
  const last = refund(1, false, left);
  assert.ok(last.ok && last.debitSats === 595n);
  const shipped = createOrder([{ quantity: 2, shipped: 2, net: 1000n, tax: 190n }], 500n);
  assert.equal(refund(2, false, shipped, true).ok, true, 'the shop keeps the shipping of what it shipped');
});

/** Deducts a share of what the units of each line cost, in thousandths. */
function deductShares(order: RefundableOrder, request: LinesToRefund, shares: readonly number[]): LinesToRefund {
  const whole = computeLineRefund(order, sats(1n), request);
  if (!whole.ok) return request;
  const deductions = order.lines.flatMap(({ position }) => {
    const cost = whole.units
      .filter((one) => one.position === position)
      .reduce((sum, one) => sum + one.netCents + one.taxCents, 0n);
    const part = (cost * BigInt(shares[position % shares.length] ?? 0)) / 1000n;
    return part === 0n ? [] : [{ position, cents: cents(part) }];
  });
  return { ...request, deductions };
}

test('[RET-07] refunds and deductions of all units sum up to the price, in any order', () => {
  const shares = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 5 });
  const steps = fc.array(fc.tuple(step, shares), { maxLength: 8 });
  fc.assert(
    fc.property(boughtLines, amounts, steps, (lines, { settled, shipping }, all) => {
      const first = createOrder(lines, shipping);
      let order = first;
      let made: LineRefund[] = [];
      for (const [one, deducted] of [...all, [null, [0]] as const]) {
        const withdrawn = one === null || one.withdraws === null ? undefined : made[one.withdraws];
        if (withdrawn !== undefined) {
          made = made.filter((refund) => refund !== withdrawn);
          order = apply(order, withdrawn, -1);
        }
        const request = one === null ? listEverything(order) : toRequest(order, one);
        const refund = computeLineRefund(order, sats(settled), deductShares(order, request, deducted));
        if (!refund.ok) continue;
        for (const unit of refund.units) assert.ok(unit.netCents >= 0n && unit.taxCents >= 0n);
        made.push(refund);
        order = apply(order, refund, 1);
        assert.ok(order.refundedSats <= settled);
      }
      const [returned, kept] = [
        made.reduce((sum, { totalCents }) => sum + totalCents, 0n),
        made.reduce((sum, refund) => sum + sumDeducted(refund), 0n),
      ];
      assert.equal(returned + kept, sumTotal(first));
      // The tax of each line is returned or kept, to the cent.
      for (const { position, taxCents } of first.lines) {
        const own = made.flatMap(({ units }) => units.filter((one) => one.position === position));
        assert.equal(
          own.reduce((sum, one) => sum + one.taxCents + one.deductedTaxCents, 0n),
          taxCents,
        );
      }
      if (returned > 0n) assert.ok(order.refundedSats + computeDeductedSats(order, sats(settled)) === settled);
      if (kept > 0n) assert.ok(!isFullyRefunded(order), 'the shop keeps a part of the price');
    }),
  );
});

test('[RET-07] rejects a deduction that is more than the units cost', () => {
  const order = createOrder([{ quantity: 2, shipped: 2, net: 10_000n, tax: 1_900n }], 0n);
  const units = [{ position: 0, isShipped: true, quantity: 1 }];
  const deduct = (amount: bigint) =>
    computeLineRefund(order, sats(1000n), {
      units,
      shipping: false,
      deductions: [{ position: 0, cents: cents(amount) }],
    });
  assert.deepEqual(deduct(5951n), { ok: false, reason: 'deduction-too-large' });
  const all = deduct(5950n);
  assert.ok(all.ok && all.totalCents === 0n && all.debitSats === 0n);
  const half = deduct(2975n);
  assert.ok(half.ok);
  assert.deepEqual(half.units, [
    { ...units[0], netCents: 2500n, taxCents: 475n, deductedNetCents: 2500n, deductedTaxCents: 475n },
  ]);
});
