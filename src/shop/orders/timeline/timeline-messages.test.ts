import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount, describeEvents } from './timeline-messages.ts';

const lastOf = (...kinds: readonly string[]): string | undefined => describeEvents(kinds).at(-1);

test('[PAY-10] [PAY-11] a late payment is told by what it came after: the time, a cancellation, a refund, the last of them', () => {
  assert.equal(lastOf('created', 'expired', 'late'), 'The payment was first seen after the time for it was over');
  assert.equal(lastOf('created', 'cancelled', 'late'), 'A payment came after the order was cancelled');
  assert.equal(lastOf('cancelled', 'late', 'refund_made', 'late'), 'A payment came after the refund was made');
  assert.equal(lastOf('late', 'cancelled'), 'Order cancelled');
  assert.equal(describeEvents(['late', 'cancelled'])[0], 'The payment was first seen after the time for it was over');
  assert.equal(lastOf('a turn of tomorrow'), 'Order updated');
});

test('an amount that was kept is read to the satoshi; anything else is none', () => {
  assert.equal(readAmount({ due_sats: '2100000000000000' }, 'due_sats'), 2_100_000_000_000_000n);
  for (const kept of [undefined, null, 5, '', '-1', '1.5', '9'.repeat(19)]) {
    assert.equal(readAmount({ due_sats: kept }, 'due_sats'), null);
  }
});
