import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import type { ProductSketch } from '../../../../tests/support/build-catalogue.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import { computeLowestPriceCents, computeLowestPriceSats, isPriceFrom } from './lowest-price.ts';

const value = (name: string): string => `phones/${name}`;
const phone: ProductSketch = {
  name: 'Phone',
  cents: 79_900n,
  offers: { Memory: { Small: 0n, Large: 10_000n }, Color: { Blue: 500n, Red: 0n } },
};
const open = (sketch: Partial<ProductSketch>) => {
  const [product] = buildCatalogue([{ ...phone, ...sketch }]).products;
  return product ?? assert.fail('no product');
};
const priceOf = (sketch: Partial<ProductSketch>) => {
  const product = open(sketch);
  return [computeLowestPriceCents(product), isPriceFrom(product)];
};
const [small, large, blue, red] = [
  value('Memory/Small'),
  value('Memory/Large'),
  value('Color/Blue'),
  value('Color/Red'),
];

test('[CARD-01] [OPS-08] the lowest price is that of the cheapest sold variant', () => {
  assert.deepEqual(priceOf({}), [79_900n, true]);
  assert.deepEqual(priceOf({ offers: {} }), [79_900n, false]);
  assert.deepEqual(priceOf({ unsold: [[blue, small]] }), [79_900n, false]);
  assert.deepEqual(
    priceOf({
      unsold: [
        [red, small],
        [red, large],
      ],
    }),
    [80_400n, false],
  );
  assert.deepEqual(priceOf({ ownPrices: [{ valueIds: [large, red], cents: 500n }] }), [500n, true]);
  assert.deepEqual(priceOf({ ownPrices: [{ valueIds: [small, blue], cents: 500n }] }), [500n, false]);
  assert.deepEqual(priceOf({ ownPrices: [{ valueIds: [large, red], cents: 500n }], unsold: [[red, large]] }), [
    79_900n,
    true,
  ]);
});

test('[CARD-01] a product of which nothing is sold has its first price', () => {
  const unsold = [small, large].flatMap((memory) => [blue, red].map((color) => [memory, color]));
  assert.deepEqual(priceOf({ unsold }), [80_400n, false]);
});

test('[CARD-01] the lowest price in bitcoin is what that variant is charged', () => {
  const product = open({ offers: { Color: { Blue: 500n } } });
  // Each part is rounded up to 100 satoshis.
  const rate = centsPerBtc(11_100_000n);
  assert.equal(computeLowestPriceSats(product, rate), 719_900n + 4600n);
  const own = open({ offers: { Color: { Blue: 500n } }, ownPrices: [{ valueIds: [blue], cents: 80_400n }] });
  assert.equal(computeLowestPriceSats(own, rate), 724_400n);
});
