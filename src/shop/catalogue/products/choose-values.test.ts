import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NO_CENTS } from '#src/shop/money.ts';
import { chooseValues } from './choose-values.ts';
import type { OfferedProperty } from './choose-values.ts';

const createProperty = (name: string, ...ids: string[]): OfferedProperty => ({
  id: `property-${name}`,
  name,
  values: ids.map((id) => ({ id, value: id, increaseCents: NO_CENTS })),
});
const phone = [
  createProperty('Memory Capacity', 'z-256', 'c-512', 'm-1tb'),
  createProperty('Color', 'k-silver', 'b-blue'),
];

test('[PROD-08] [PROD-03] defaults to the first value of each property', () => {
  const choice = chooseValues(phone);
  assert.ok(choice.ok);
  assert.deepEqual(
    choice.values.map(({ id }) => id),
    ['z-256', 'k-silver'],
  );
  assert.deepEqual(choice.valueIds, ['k-silver', 'z-256']);
  assert.deepEqual(chooseValues(phone, []), choice);
});

test('[PROD-08] accepts values in any order and defaults the rest', () => {
  const choice = chooseValues(phone, ['b-blue', 'm-1tb']);
  assert.ok(choice.ok);
  assert.deepEqual(choice.valueIds, ['b-blue', 'm-1tb']);
  const part = chooseValues(phone, ['c-512']);
  assert.ok(part.ok);
  assert.deepEqual(part.valueIds, ['c-512', 'k-silver']);
});

test('[PROD-08] refuses values not offered, conflicting or repeated', () => {
  const refused = { ok: false, reason: 'unknown-values' };
  assert.deepEqual(chooseValues(phone, ['nothing']), refused);
  assert.deepEqual(chooseValues(phone, ['z-256', 'c-512']), refused);
  assert.deepEqual(chooseValues(phone, ['z-256', 'z-256']), refused);
  assert.deepEqual(chooseValues([], ['z-256']), refused);
});

test('[PROD-08] chooses nothing for a product without properties', () => {
  assert.deepEqual(chooseValues([]), { ok: true, values: [], valueIds: [] });
  assert.deepEqual(chooseValues([createProperty('Color')]), { ok: true, values: [], valueIds: [] });
});

test('[PROD-08] returns complete, sorted, stable choices that contain the named values', () => {
  const anyProduct = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }).chain((sizes) =>
    fc.record({
      offered: fc.constant(
        sizes.map((size, p) =>
          createProperty(`p${p}`, ...Array.from({ length: size }, (_, v) => `${(v * 7 + p * 3) % 10}-${p}-${v}`)),
        ),
      ),
      picks: fc.tuple(...sizes.map((size) => fc.option(fc.nat({ max: size - 1 })))),
    }),
  );
  fc.assert(
    fc.property(anyProduct, ({ offered, picks }) => {
      const named = picks.flatMap((pick, p) => (pick === null ? [] : [offered[p]?.values[pick]?.id ?? '']));
      const choice = chooseValues(offered, named.toReversed());
      assert.ok(choice.ok);
      assert.equal(choice.valueIds.length, offered.length);
      assert.deepEqual(choice.valueIds, choice.valueIds.toSorted());
      for (const id of named) assert.ok(choice.valueIds.includes(id));
      assert.deepEqual(chooseValues(offered, choice.valueIds), choice);
    }),
  );
});
