import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeZone } from './describe-zone.ts';

const tiers = [
  { from: 0, price_usd: 5 },
  { from: 2500, price_usd: 8.5 },
];
const zone = { name: 'Europe', countries: ['FR', 'DE'], basis: 'weight', tiers, free_from_usd: 100 } as const;

test('[OPS-15] describes a zone with its countries, tiers and limit', () => {
  assert.deepEqual(describeZone({ ...zone, countries: [...zone.countries] }), {
    name: 'Europe',
    countries: 'France, Germany',
    prices: ['$5', '$8.50 from 2.500 kg', 'Free from $100'],
  });
  const rest = describeZone({ ...zone, countries: [], basis: 'value', free_from_usd: null });
  assert.deepEqual(rest.prices, ['$5', '$8.50 from $25']);
  assert.equal(rest.countries, 'All other countries that we deliver to');
  assert.deepEqual(describeZone({ ...zone, countries: [], free_from_usd: 0 }).prices, ['Free']);
});
