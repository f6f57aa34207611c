import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findChangedFields, findNetChanges } from './changed-fields.ts';

test('[OPS-06] an entry holds only the fields that changed', () => {
  const before = { code: 'SPRING', uses: 3, endsAt: new Date('2026-05-01T00:00:00Z'), totalSats: 12_300n };
  const after = { ...before, uses: 4, endsAt: new Date('2026-06-01T00:00:00Z'), totalSats: 12_300n };
  assert.deepEqual(findChangedFields(before, after), {
    before: { uses: 3, endsAt: '2026-05-01T00:00:00.000Z' },
    after: { uses: 4, endsAt: '2026-06-01T00:00:00.000Z' },
  });
});

test('[OPS-06] a created or deleted subject has all its fields', () => {
  assert.deepEqual(findChangedFields(null, { a: 1n, b: undefined }), { before: null, after: { a: '1' } });
  assert.deepEqual(findChangedFields({ a: [new Date(0)] }, null), {
    before: { a: ['1970-01-01T00:00:00.000Z'] },
    after: null,
  });
});

test('[OPS-06] applying the changed fields to the old ones gives the new ones', () => {
  const fields = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
  );
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const changed = findChangedFields(before, after);
      for (const name of ['a', 'b', 'c', 'd']) {
        const isChanged = (before[name] ?? null) !== (after[name] ?? null);
        assert.equal(Object.hasOwn(changed.before ?? {}, name), isChanged && Object.hasOwn(before, name));
        assert.equal(Object.hasOwn(changed.after ?? {}, name), isChanged && Object.hasOwn(after, name));
      }
    }),
  );
});

test('[OPS-06] long texts are cut with their length', () => {
  const { after } = findChangedFields({ text: 'x' }, { text: 'y'.repeat(5_000) });
  assert.deepEqual(after, { text: `${'y'.repeat(2_000)}… (5000 characters)` });
  const equal = 'z'.repeat(3_000);
  assert.deepEqual(findChangedFields({ text: `${equal}a` }, { text: `${equal}b` }).after !== null, true);
  assert.deepEqual(Object.keys(findChangedFields({ text: `${equal}a` }, { text: `${equal}b` }).after ?? {}), ['text']);
});

test('[OPS-06] the order of members is no change', () => {
  const members = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue()), {
    selector: ([name]) => name,
  });
  fc.assert(
    fc.property(members, (entries) => {
      const [before, after] = [entries, entries.toReversed()].map((list) => ({ zones: [Object.fromEntries(list)] }));
      assert.deepEqual(findChangedFields(before ?? null, after ?? null), { before: {}, after: {} });
    }),
  );
});

test('[OPS-06] several changes in a row have the fields that differ between the first and the last', () => {
  const fields = fc.record({ a: fc.integer({ min: 0, max: 2 }), b: fc.boolean(), c: fc.constantFrom(null, 'x', 'y') });
  fc.assert(
    fc.property(fields, fc.array(fields), (start, later) => {
      const versions = [start, ...later];
      const changes = later.map((after, index) => findChangedFields(versions[index] ?? null, after));
      const differing = findChangedFields(start, versions.at(-1) ?? null).after ?? {};
      assert.deepEqual(findNetChanges(changes).toSorted(), Object.keys(differing).toSorted());
    }),
  );
});

test('[OPS-06] a long text that was changed twice differs, since the log has only its beginning', () => {
  const texts = ['a', 'b', 'a'].map((end) => ({ text: `${'z'.repeat(3_000)}${end}` }));
  const changes = [
    findChangedFields(texts[0] ?? null, texts[1] ?? null),
    findChangedFields(texts[1] ?? null, texts[2] ?? null),
  ];
  assert.deepEqual(findNetChanges(changes), ['text']);
});
