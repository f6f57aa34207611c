import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { listSerials } from './list-serials.ts';

test('[RET-06] a buyer reads which numbers arrived and which are sent back', () => {
  assert.deepEqual(listSerials([]), []);
  const [first, second] = ['SN-1', 'SN-2'].map((number, index) => ({ number, is_sent_back: index === 1 }));
  assert.ok(first && second);
  assert.deepEqual(listSerials([first]), [{ label: 'Received', numbers: ['SN-1'] }]);
  assert.deepEqual(listSerials([first, second]), [
    { label: 'Received', numbers: ['SN-1'] },
    { label: 'Sent back to you', numbers: ['SN-2'] },
  ]);
});

test('[RET-06] each number of a line is named once', () => {
  const serials = fc.uniqueArray(fc.record({ number: fc.string(), is_sent_back: fc.boolean() }), {
    selector: ({ number }) => number,
  });
  fc.assert(
    fc.property(serials, (all) => {
      const named = listSerials(all).flatMap(({ numbers }) => numbers);
      assert.deepEqual(named.toSorted(), all.map(({ number }) => number).toSorted());
    }),
  );
});
