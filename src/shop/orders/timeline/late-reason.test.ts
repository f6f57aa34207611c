import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLateReason } from './late-reason.ts';

const deep = { confirmations: 2, required_confirmations: 2, state: 'late' } as const;
import type { OrderEventKind } from '../kinds.ts';

const turns = (...kinds: OrderEventKind[]) => kinds.map((kind) => ({ kind }));
const [moved, fits] = [{ isRateBlocking: true }, { isRateBlocking: false }];

test('[PAY-10] names the rate first, then what was last unavailable', () => {
  assert.equal(findLateReason(deep, moved, turns('late_sold_out')), 'rate');
  assert.equal(findLateReason(deep, fits, turns('late_promo_gone', 'late_sold_out', 'refund_address')), 'sold-out');
  assert.equal(findLateReason(deep, fits, turns('late_sold_out', 'late_promo_gone')), 'promo');
  assert.equal(findLateReason(deep, fits, turns('late_waits')), null, 'it is accepted with the next look at it');
});

test('[PAY-10] gives no reason unless the payment is final, late and requotable', () => {
  assert.equal(findLateReason({ ...deep, confirmations: 1 }, moved, []), null);
  assert.equal(findLateReason({ ...deep, state: 'underpaid' }, moved, turns('late_sold_out')), null);
  assert.equal(findLateReason(deep, null, turns('late_sold_out')), null);
});
