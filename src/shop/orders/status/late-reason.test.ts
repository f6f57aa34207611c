import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centsPerBtc } from '#src/shop/money.ts';
import { findLateReason } from './late-reason.ts';

const late = { confirmations: 2, required_confirmations: 2, state: 'late' } as const;
import type { OrderEventKind } from '../order-events.ts';

const createEvents = (...kinds: OrderEventKind[]) => kinds.map((kind) => ({ kind }));
const NOTHING_ELSE = { rate: centsPerBtc(10_000_000n), isTooLate: false, refusal: null };
const [moved, fits] = [
  { isRateBlocking: true, ...NOTHING_ELSE },
  { isRateBlocking: false, ...NOTHING_ELSE },
];

test('[PAY-10] names the rate first, then the last unavailability', () => {
  assert.equal(findLateReason(late, moved, createEvents('late_sold_out')), 'rate');
  assert.equal(
    findLateReason(late, fits, createEvents('late_promo_gone', 'late_sold_out', 'refund_address')),
    'sold-out',
  );
  assert.equal(findLateReason(late, fits, createEvents('late_sold_out', 'late_promo_gone')), 'promo');
  assert.equal(findLateReason(late, fits, createEvents('late_waits')), null, 'accepted at the next pass');
});

test('[PAY-16] names the limit, and what can’t be ordered any more', () => {
  const over = { ...fits, isTooLate: true };
  assert.equal(findLateReason(late, over, createEvents('late_sold_out')), 'too-late');
  assert.equal(findLateReason(late, { ...over, refusal: 'Phone is no longer available' }, []), 'unavailable');
  assert.equal(findLateReason(late, { ...moved, refusal: 'Phone is no longer available' }, []), 'unavailable');
  assert.equal(
    findLateReason(late, { ...fits, refusal: 'Phone is no longer available' }, []),
    null,
    'accepted at once',
  );
});

test('[PAY-10] gives no reason unless the payment is final, late and requotable', () => {
  assert.equal(findLateReason({ ...late, confirmations: 1 }, moved, []), null);
  assert.equal(findLateReason({ ...late, state: 'underpaid' }, moved, createEvents('late_sold_out')), null);
  assert.equal(findLateReason(late, null, createEvents('late_sold_out')), null);
});
