import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import {
  computeShipping,
  deliversEverywhere,
  findZone,
  FREE_EVERYWHERE,
  hasWeightPrices,
  isFreeEverywhere,
  isPricedByWeight,
  listDeliveryCountries,
} from './compute-shipping.ts';
import type { ShippingZone } from './compute-shipping.ts';

const zone = (part: Partial<ShippingZone>): ShippingZone => ({
  name: 'Zone',
  countries: [],
  basis: 'value',
  tiers: [
    { from: 0, priceCents: 500 },
    { from: 5000, priceCents: 900 },
  ],
  freeFromCents: null,
  ...part,
});
const price = (of: ShippingZone, goods: bigint, grams: number | null = 0) =>
  computeShipping(of, { goodsCents: cents(goods), grams });

test('[OPS-15] takes the last tier that the weight or value reaches', () => {
  assert.deepEqual([price(zone({}), 0n), price(zone({}), 4999n), price(zone({}), 5000n)], [500n, 500n, 900n]);
  const byWeight = zone({ basis: 'weight' });
  assert.deepEqual([price(byWeight, 99_999n, 4999), price(byWeight, 1n, 5000)], [500n, 900n]);
});

test('[OPS-31] an unknown weight has the price of the heaviest order', () => {
  const byWeight = zone({ basis: 'weight', freeFromCents: 10_000 });
  assert.deepEqual([price(byWeight, 1n, null), price(byWeight, 10_000n, null)], [900n, 0n]);
  assert.equal(price(zone({}), 1n, null), 500n);
  const goods = { goodsCents: cents(1n) };
  assert.equal(isPricedByWeight(byWeight, goods), true);
  assert.equal(isPricedByWeight(byWeight, { goodsCents: cents(10_000n) }), false);
  assert.equal(isPricedByWeight(zone({ basis: 'weight', tiers: [{ from: 0, priceCents: 500 }] }), goods), false);
  assert.equal(isPricedByWeight(zone({}), goods), false);
  assert.equal(hasWeightPrices({ zones: [zone({}), byWeight] }), true);
  assert.equal(hasWeightPrices({ zones: [zone({})] }), false);
});

test('[OPS-15] ships free from the limit on', () => {
  const limited = zone({ freeFromCents: 10_000 });
  assert.deepEqual([price(limited, 9999n), price(limited, 10_000n)], [900n, 0n]);
  assert.equal(price(zone({ freeFromCents: 0 }), 0n), 0n);
});

test('[OPS-15] prefers the zone that names the country, and no zone for excluded ones', () => {
  const [rest, europe] = [zone({ name: 'Rest' }), zone({ name: 'Europe', countries: ['DE', 'FR'] })];
  const settings = { zones: [rest, europe], excludedCountries: ['US', 'FR'] };
  assert.equal(findZone(settings, 'DE')?.name, 'Europe');
  assert.equal(findZone(settings, 'JP')?.name, 'Rest');
  assert.equal(findZone(settings, 'FR'), null);
  assert.equal(findZone({ zones: [europe], excludedCountries: [] }, 'JP'), null);
  assert.deepEqual(listDeliveryCountries({ zones: [europe], excludedCountries: ['FR'] }), ['DE']);
  assert.equal(deliversEverywhere(settings), false);
});

test('[OPS-15] delivers everywhere for free by default', () => {
  assert.equal(isFreeEverywhere(FREE_EVERYWHERE), true);
  assert.equal(deliversEverywhere(FREE_EVERYWHERE), true);
  assert.equal(listDeliveryCountries(FREE_EVERYWHERE), null);
  assert.equal(isFreeEverywhere({ zones: [zone({})], excludedCountries: [] }), false);
  assert.equal(isFreeEverywhere({ zones: [zone({ freeFromCents: 0 })], excludedCountries: [] }), true);
});
