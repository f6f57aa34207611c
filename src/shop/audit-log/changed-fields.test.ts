import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findChangedFields } from './changed-fields.ts';

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
