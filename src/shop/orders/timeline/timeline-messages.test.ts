import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEventKind } from '../order-events.ts';
import type { StoredEventKind } from '../order-events.ts';
import { readAmount, describeEvents } from './timeline-messages.ts';

const describeLast = (...kinds: readonly StoredEventKind[]): string | undefined => describeEvents(kinds).at(-1);

test('[PAY-10] [PAY-11] names the event that closed the order before a late payment', () => {
  assert.equal(describeLast('created', 'expired', 'late'), 'Payment seen after the payment window');
  assert.equal(describeLast('created', 'cancelled', 'late'), 'Payment arrived after the order was cancelled');
  assert.equal(describeLast('cancelled', 'late', 'refund_made', 'late'), 'Payment arrived after the refund was made');
  assert.equal(describeLast('late', 'cancelled'), 'Order cancelled');
  assert.equal(describeEvents(['late', 'cancelled'])[0], 'Payment seen after the payment window');
  assert.equal(describeLast(parseEventKind('kind_of_a_newer_version')), 'Order updated');
});

test('reads a stored amount to the satoshi and rejects anything else', () => {
  assert.equal(readAmount({ due_sats: '2100000000000000' }, 'due_sats'), 2_100_000_000_000_000n);
  for (const amount of [undefined, null, 5, '', '-1', '1.5', '9'.repeat(19)]) {
    assert.equal(readAmount({ due_sats: amount }, 'due_sats'), null);
  }
});
