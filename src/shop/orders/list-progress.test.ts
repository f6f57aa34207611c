import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fulfilmentStatuses, paymentStatuses } from './kinds.ts';
import { storedEventKinds } from './order-events.ts';
import { listProgress } from './list-progress.ts';

const AT = '2026-11-28T10:00:00.000Z';
const event = (kind: (typeof storedEventKinds)[number], at = AT) => ({ kind, at });
const show = (
  status: (typeof paymentStatuses)[number],
  fulfilment: (typeof fulfilmentStatuses)[number],
  ...kinds: (typeof storedEventKinds)[number][]
): string =>
  listProgress({ payment_status: status, fulfilment_status: fulfilment }, [
    event('created'),
    ...kinds.map((k) => event(k)),
  ])
    .map(({ name, state, at }) => `${name} ${state}${at === null ? '' : ' @'}`)
    .join(', ');

test('[DASH-04] the bar shows what has happened to an order, step by step', () => {
  assert.equal(show('pending', 'unfulfilled'), 'Ordered done @, Paid next, Shipped ahead, Delivered ahead');
  assert.equal(show('paid', 'unfulfilled', 'paid'), 'Ordered done @, Paid done @, Shipped next, Delivered ahead');
  assert.equal(
    show('paid', 'partly_shipped', 'paid', 'partly_shipped'),
    'Ordered done @, Paid done @, Partly shipped next @, Delivered ahead',
  );
  assert.equal(
    show('paid', 'shipped', 'paid', 'shipped'),
    'Ordered done @, Paid done @, Shipped done @, Delivered next',
  );
  assert.equal(
    show('paid', 'delivered', 'settled', 'shipped', 'delivered'),
    'Ordered done @, Paid done @, Shipped done @, Delivered done @',
  );
});

test('[DASH-04] [PAY-12] a step that is undone is not shown as done', () => {
  assert.equal(
    show('user_paid', 'shipped', 'paid', 'shipped', 'reorged_out'),
    'Ordered done @, Paid next, Shipped done @, Delivered ahead',
  );
  assert.equal(
    show('paid', 'unfulfilled', 'paid', 'shipped', 'shipment_undone'),
    'Ordered done @, Paid done @, Shipped next, Delivered ahead',
  );
});

test('[DASH-04] an order that ended without delivery has no bar', () => {
  for (const status of ['expired', 'cancelled', 'refunded'] as const) assert.equal(show(status, 'shipped', 'paid'), '');
});

test('[DASH-04] each step is done exactly while the order says so, and at most one is next', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...paymentStatuses),
      fc.constantFrom(...fulfilmentStatuses),
      fc.array(fc.constantFrom(...storedEventKinds), { maxLength: 12 }),
      (status, fulfilment, kinds) => {
        const steps = listProgress(
          { payment_status: status, fulfilment_status: fulfilment },
          kinds.map((kind) => event(kind)),
        );
        const done = new Set(steps.filter(({ state }) => state === 'done').map(({ name }) => name));
        assert.equal(done.has('Paid'), status === 'paid');
        if (steps.length > 0) {
          assert.equal(done.has('Shipped'), fulfilment === 'shipped' || fulfilment === 'delivered');
          assert.equal(done.has('Delivered'), fulfilment === 'delivered');
        }
        assert.ok(steps.filter(({ state }) => state === 'next').length <= 1);
        // A date belongs to an event that was recorded.
        for (const { at } of steps) assert.ok(at === null || kinds.length > 0);
      },
    ),
  );
});
