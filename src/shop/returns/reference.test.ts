import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findReference, formatReference, parseReference } from './reference.ts';

test('[RET-03] a reference is read however it is typed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
      const reference = formatReference(bytes);
      if (reference === null) return;
      assert.match(reference, /^R-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
      for (const typed of [reference, reference.toLowerCase(), ` ${reference.replaceAll('-', ' ')} `])
        assert.equal(parseReference(typed), reference);
    }),
  );
});

test('[RET-03] too few random bytes give no reference', () => {
  assert.equal(formatReference(new Uint8Array(7)), null);
  assert.equal(formatReference(new Uint8Array(64).fill(255)), null);
  for (const typed of ['', 'R-7K2M-9QT', 'R-7K2M-9QT0', 'X-7K2M-9QTX']) assert.equal(parseReference(typed), null);
});

test('[RET-05] the reference of a return is found in the title of its ticket', () => {
  assert.equal(findReference('Return R-7K2M-9QTX'), 'R-7K2M-9QTX');
  assert.equal(findReference('Where is my parcel?'), null);
});
