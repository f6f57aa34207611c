import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { EMPTY_ZONE, readFrom, readShippingFields, toShippingFields } from './shipping-form.ts';
import type { ZoneFields } from './shipping-form.ts';

const EUROPE: ZoneFields = {
  name: 'Europe',
  isRest: false,
  countries: ['DE', 'FR'],
  basis: 'weight',
  tiers: [
    { from: '0', price: '4.90' },
    { from: '2.5', price: '9' },
  ],
  freeFrom: '100',
};
const REST: ZoneFields = {
  ...EMPTY_ZONE,
  name: 'Rest of the world',
  isRest: true,
  tiers: [{ from: '0', price: '20' }],
};

const EMPTY_SETTINGS = { name: '', countries: [], basis: 'weight' as const, free_from_usd: null };

const parseFrom = (text: string, basis: 'weight' | 'value'): number | null => {
  const read = readFrom(text, basis);
  return read.ok ? read.units : null;
};

test('[OPS-15] reads grams and cents exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (amount) => {
      assert.equal(parseFrom((amount / 1000).toFixed(4), 'weight'), amount);
      assert.equal(parseFrom((amount / 100).toFixed(2).replace('.', ','), 'value'), amount);
      const zone: ZoneFields = { ...REST, basis: 'weight', tiers: [...REST.tiers, { from: '1', price: '1' }] };
      const read = readShippingFields({ zones: [zone], excluded: [], unknownWeight: 'refuse' });
      assert.ok(read.ok);
      const [of] = read.settings.zones;
      const tiers = [of?.tiers[0] ?? { from: 0, price_usd: 0 }, { from: amount + 1, price_usd: 1 }];
      const settings = { ...read.settings, zones: [{ ...(of ?? EMPTY_SETTINGS), tiers }] };
      assert.deepEqual(readShippingFields(toShippingFields(settings)), { ok: true, settings });
    }),
  );
  for (const text of ['', '-1', '1.2345', '1,5,5', 'x']) assert.equal(parseFrom(text, 'value'), null, text);
  assert.deepEqual(readFrom('1.234', 'value'), {
    ok: false,
    problem: '“1.234” is unclear. Write 1234 or 1.23.',
  });
});

test('[OPS-15] reads zones with tiers, limit and all other countries', () => {
  const read = readShippingFields({ zones: [EUROPE, REST], excluded: ['KP'], unknownWeight: 'refuse' });
  assert.ok(read.ok);
  assert.deepEqual(read.settings, {
    zones: [
      {
        name: 'Europe',
        countries: ['DE', 'FR'],
        basis: 'weight',
        tiers: [
          { from: 0, price_usd: 4.9 },
          { from: 2500, price_usd: 9 },
        ],
        free_from_usd: 100,
      },
      {
        name: 'Rest of the world',
        countries: [],
        basis: 'value',
        tiers: [{ from: 0, price_usd: 20 }],
        free_from_usd: null,
      },
    ],
    excluded_countries: ['KP'],
    unknown_weight: 'refuse',
  });
  assert.deepEqual(toShippingFields(read.settings), {
    zones: [EUROPE, REST],
    excluded: ['KP'],
    unknownWeight: 'refuse',
  });
});

function list(zones: readonly ZoneFields[]): string[] {
  const read = readShippingFields({ zones, excluded: [], unknownWeight: 'heaviest' });
  return read.ok ? [] : Object.keys(read.problems);
}

test('[OPS-15] names what is missing or contradicts another zone', () => {
  assert.deepEqual(list([EMPTY_ZONE]), ['zones.0.name', 'zones.0.countries', 'zones.0.tiers.0.price']);
  assert.deepEqual(list([EUROPE, EUROPE]), ['zones.1.name', 'zones.1.countries']);
  assert.deepEqual(list([REST, { ...REST, name: 'Other' }]), ['zones.1.countries']);
  const tiers = [
    { from: '0', price: '1' },
    { from: '0', price: 'x' },
  ];
  assert.deepEqual(list([{ ...EUROPE, tiers, freeFrom: '1e3' }]), [
    'zones.0.freeFrom',
    'zones.0.tiers.1.from',
    'zones.0.tiers.1.price',
  ]);
});
