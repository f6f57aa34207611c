import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compareSpecifications } from './compare-specifications.ts';

test('[CAT-07] aligns specifications and marks differences', () => {
  assert.deepEqual(
    compareSpecifications([
      { Chip: 'A19', Weight: '177 g' },
      { Weight: '177 g', Camera: '48 MP' },
    ]),
    [
      { name: 'Chip', values: ['A19', null], isDifferent: true },
      { name: 'Weight', values: ['177 g', '177 g'], isDifferent: false },
      { name: 'Camera', values: [null, '48 MP'], isDifferent: true },
    ],
  );
});

test('[CAT-07] loses and adds no specification', () => {
  const specifications = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.string());
  fc.assert(
    fc.property(fc.array(specifications, { maxLength: 4 }), (products) => {
      const rows = compareSpecifications(products);
      assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
      for (const [index, product] of products.entries()) {
        const valueByName = new Map(rows.map(({ name, values }) => [name, values[index] ?? null]));
        for (const [name, value] of valueByName) if (value === null) valueByName.delete(name);
        assert.deepEqual(valueByName, new Map(Object.entries(product)));
      }
      for (const { values, isDifferent } of rows) {
        assert.equal(
          isDifferent,
          values.some((value) => value !== values[0]),
        );
      }
    }),
  );
});
