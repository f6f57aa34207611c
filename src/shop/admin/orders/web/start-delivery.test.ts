import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_DRAFT } from '#src/shop/orders/checkout/web/billing-draft.ts';
import { BILLING } from '../../../../../tests/support/stress-buyer.ts';
import { startDelivery } from './start-delivery.ts';

const LAST = { ...BILLING, region: 'Europe', phone: '+44 20 7946 0000', note: 'Ring twice' } as const;
const GERMANY = { home: 'DE', delivered: null };
const startOf = (home: string, delivered: readonly string[] | null = null) =>
  startDelivery({}, null, { home, delivered }).start;

test('[OPS-13] a new order begins with the details of the last one, without its note', () => {
  const { start, hasLastAddress } = startDelivery({}, LAST, GERMANY);
  assert.deepEqual([start, hasLastAddress], [{ ...EMPTY_DRAFT, ...LAST, note: '' }, true]);
});

test('[OPS-13] a new order of a new customer begins with the country of the shop', () => {
  assert.deepEqual(startOf('DE'), { ...EMPTY_DRAFT, country: 'DE', region: 'Europe' });
  // Hong Kong has no postcodes.
  assert.equal(startOf('HK').postcode, '-');
  for (const start of [startOf(''), startOf('DE', ['GB'])]) assert.deepEqual(start, EMPTY_DRAFT);
});

test('[OPS-13] typed details stay, and never become half of the last address', () => {
  const typed = { lastName: 'King', phone: '' };
  const named = startDelivery(typed, LAST, GERMANY);
  assert.deepEqual([named.typed, named.start.streetAddress], [{ lastName: 'King' }, 'Elm Street']);
  const emptied = startDelivery({ country: '', region: 'North America' }, LAST, GERMANY);
  assert.deepEqual([emptied.typed, emptied.start.country, emptied.hasLastAddress], [{}, LAST.country, true]);
  const placed = startDelivery({ ...typed, city: 'Bath' }, LAST, GERMANY);
  assert.deepEqual(placed.typed, { lastName: 'King', city: 'Bath' });
  const { firstName, lastName, phone } = LAST;
  const start = { ...EMPTY_DRAFT, firstName, lastName, phone, country: 'DE', region: 'Europe' };
  assert.deepEqual([placed.start, placed.hasLastAddress], [start, false]);
});
