import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compareCapacities, parseGigabytes, sortPropertyValues } from './sort-capacities.ts';

const createValues = (...written: string[]) => written.map((value) => ({ value }));
const capacity = fc
  .tuple(fc.integer({ min: 1, max: 4096 }), fc.constantFrom('GB', 'TB'))
  .map(([n, unit]) => `${n}${unit}`);

test('[CAT-05] sorts capacities by size', () => {
  assert.deepEqual(
    sortPropertyValues(createValues('1TB', '64GB', '512GB', '128GB', '2TB', '256GB')),
    createValues('64GB', '128GB', '256GB', '512GB', '1TB', '2TB'),
  );
});

test('[CAT-05] equates 1TB with 1024GB and puts GB first', () => {
  assert.equal(parseGigabytes('1TB'), parseGigabytes('1024GB'));
  assert.deepEqual(
    sortPropertyValues(createValues('2TB', '1TB', '1024GB', '1025GB', '1000GB')),
    createValues('1000GB', '1024GB', '1TB', '1025GB', '2TB'),
  );
});

test('[CAT-05] sorts any capacities by size, independent of input order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(capacity), (written) => {
      const sorted = written.toSorted(compareCapacities);
      const sizes = sorted.map((value) => parseGigabytes(value) ?? Number.NaN);
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => a - b),
      );
      assert.deepEqual(written.toReversed().toSorted(compareCapacities), sorted);
    }),
  );
});

test('[CAT-05] keeps the order of values that are not capacities', () => {
  const colours = createValues('Silver', 'Cosmic Orange', 'Deep Blue');
  assert.deepEqual(sortPropertyValues(colours), colours);
  assert.equal(parseGigabytes('128'), undefined);
  assert.equal(parseGigabytes('fast 128GB'), undefined);
  assert.ok(compareCapacities('Other', '1TB') > 0);
});
