import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import { chooseValues } from '../products/choose-values.ts';
import { computeVariantPriceCents } from '../products/unit-price.ts';
import { applySalePrices, findReduction, findSteadyTime } from './present-prices.ts';
import type { Pricing } from './present-prices.ts';
import { computePartsPrice, listRaisedParts, reducePrices, takePercentOff } from './sale-price.ts';
import type { Reduction, SalePrice } from './sale-price.ts';

const start = new Date('2026-03-10T10:00:00Z');
const end = new Date('2026-03-11T10:00:00Z');
const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);

const createSale = (reduction: Reduction, changed: Partial<SalePrice> = {}): SalePrice => ({
  id: 'sale',
  reduction,
  startsAt: start,
  endsAt: end,
  ...changed,
});

const offered = [
  {
    id: 'colour',
    name: 'Colour',
    values: [
      { id: 'black', value: 'Black', increaseCents: cents(0n) },
      { id: 'gold', value: 'Gold', increaseCents: cents(10_000n) },
      { id: 'red', value: 'Red', increaseCents: cents(0n) },
    ],
  },
];
const normal = { basePriceCents: cents(99_900n), ownPrices: new Map([['red', cents(120_000n)]]), offered };
const parts = {
  ...normal,
  increases: new Map([
    ['black', cents(0n)],
    ['gold', cents(10_000n)],
    ['red', cents(0n)],
  ]),
  unsold: new Set<string>(),
};

function createProduct(salePrices: readonly SalePrice[], recordedAt = after(start, -5 * 86_400_000)) {
  const pricing: Pricing = { normal, salePrices, records: [{ recordedAt, prices: parts }], running: null };
  return { ...normal, pricing };
}

const priceOf = (product: typeof normal, id: string): bigint => {
  const choice = chooseValues(product.offered, [id]);
  return choice.ok ? computeVariantPriceCents(product, choice) : -1n;
};

test('[OPS-09] a sale price starts at its start and is over at its end', () => {
  const product = createProduct([createSale({ kind: 'percent', basisPoints: 1000 })]);
  const base = (at: Date) => applySalePrices(product, at).basePriceCents;
  assert.equal(base(after(start, -1)), 99_900n);
  assert.equal(base(start), 89_910n);
  assert.equal(base(after(end, -1)), 89_910n);
  assert.equal(base(end), 99_900n);
  const during = applySalePrices(product, start);
  assert.equal(applySalePrices(during, after(start, 5)), during);
  assert.equal(applySalePrices(during, end).basePriceCents, 99_900n);
});

test('[OPS-09] a percentage reduces base price, increases and own prices', () => {
  const product = applySalePrices(createProduct([createSale({ kind: 'percent', basisPoints: 2000 })]), start);
  assert.equal(priceOf(product, 'black'), 79_920n);
  assert.equal(priceOf(product, 'gold'), 87_920n);
  assert.equal(priceOf(product, 'red'), 96_000n);
});

const reduceOwn = (own: readonly (readonly [string, bigint])[]): Reduction => ({
  kind: 'amount',
  basePriceCents: cents(80_000n),
  ownPrices: new Map(own.map(([key, price]) => [key, cents(price)])),
});

test('[OPS-09] an amount keeps increases, and own prices without a sale price', () => {
  const kept = applySalePrices(createProduct([createSale(reduceOwn([]))]), start);
  assert.deepEqual(
    ['black', 'gold', 'red'].map((id) => priceOf(kept, id)),
    [80_000n, 90_000n, 120_000n],
  );
  assert.equal(findReduction(kept, ['red']), null);
  const reduced = applySalePrices(createProduct([createSale(reduceOwn([['red', 99_900n]]))]), start);
  const expected = { priorCents: 120_000n, startsAt: start, endsAt: end };
  assert.deepEqual(findReduction(reduced, ['red']), expected);
});

test('[OPS-09] a product never offered before announces no reduction', () => {
  const product = applySalePrices(createProduct([createSale({ kind: 'percent', basisPoints: 1000 })], start), start);
  assert.equal(product.basePriceCents, 89_910n);
  assert.equal(findReduction(product, null), null);
});

const amount = (base: bigint): Reduction => ({ kind: 'amount', basePriceCents: cents(base), ownPrices: new Map() });

test('[OPS-09] a reduction that is not lower is found', () => {
  const raised = (reduction: Reduction) => listRaisedParts(parts, reduction).map(({ variantKey }) => variantKey);
  assert.deepEqual(raised(amount(99_899n)), []);
  assert.deepEqual(raised(amount(99_900n)), [null]);
  assert.deepEqual(
    raised({ kind: 'amount', basePriceCents: cents(1n), ownPrices: new Map([['red', cents(120_000n)]]) }),
    ['red'],
  );
  // One cent can't be reduced: rounded, it stays one cent or becomes nothing.
  const cent = { ...parts, basePriceCents: cents(1n), ownPrices: new Map() };
  assert.equal(listRaisedParts(cent, { kind: 'percent', basisPoints: 1000 }).length, 1);
  assert.equal(listRaisedParts(cent, { kind: 'percent', basisPoints: 9900 }).length, 1);
});

test('[OPS-09] a percentage is exact to half a cent and never negative', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.integer({ min: 1, max: 9999 }), (price, basisPoints) => {
      const reduced = takePercentOff(cents(price), basisPoints);
      const error = reduced * 10_000n - price * BigInt(10_000 - basisPoints);
      assert.ok(error >= -5_000n && error <= 5_000n && reduced >= 0n && reduced <= price);
    }),
  );
});

test('[OPS-09] prices of parts agree with prices of products', () => {
  const reductions = fc.oneof(
    fc.integer({ min: 1, max: 9999 }).map((basisPoints): Reduction => ({ kind: 'percent', basisPoints })),
    fc
      .tuple(fc.bigInt({ min: 1n, max: 99_899n }), fc.bigInt({ min: 1n, max: 119_999n }))
      .map(([base, red]): Reduction => ({
        kind: 'amount',
        basePriceCents: cents(base),
        ownPrices: new Map([['red', cents(red)]]),
      })),
  );
  fc.assert(
    fc.property(reductions, fc.constantFrom('black', 'gold', 'red'), (reduction, id) => {
      const product = applySalePrices(createProduct([createSale(reduction)]), start);
      assert.equal(computePartsPrice(reducePrices(parts, reduction), [id]), priceOf(product, id));
    }),
  );
});

const toDate = (minutes: number): Date => after(start, minutes * 60_000);

test('[OPS-09] prices are steady between two boundaries', () => {
  const minute = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(fc.uniqueArray(minute, { maxLength: 6 }), minute, minute, (bounds, nowMinute, otherMinute) => {
      const edges = bounds.toSorted((a, b) => a - b);
      const sales = [0, 2, 4].flatMap((index) => {
        const [from, until] = [edges[index], edges[index + 1]];
        if (from === undefined) return [];
        const endsAt = until === undefined ? null : toDate(until);
        return [
          createSale(
            { kind: 'percent', basisPoints: 1 + index },
            { id: String(index), startsAt: toDate(from), endsAt },
          ),
        ];
      });
      const { from, until } = findSteadyTime(sales, toDate(nowMinute));
      const other = toDate(otherMinute);
      const product = createProduct(sales);
      const isSame =
        applySalePrices(product, toDate(nowMinute)).basePriceCents === applySalePrices(product, other).basePriceCents;
      if (other.getTime() >= from && other.getTime() < until) assert.ok(isSame);
      assert.ok(toDate(nowMinute).getTime() >= from && toDate(nowMinute).getTime() < until);
    }),
  );
});
