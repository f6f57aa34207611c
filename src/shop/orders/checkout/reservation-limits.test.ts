import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isOverCap, isScarce } from '#src/shop/inventory/reservation.ts';
import {
  describeReservationLimit,
  getReservationNetwork,
  isHeldByStaff,
  STAFF_ORDER_LIMITS,
  isHalfReceived,
  RESERVATION_LIMITS,
  computeShortWindow,
  getReservationTerms,
} from './reservation-limits.ts';

const createCounted = (isEmailConfirmed: boolean) => ({
  retryAfterSeconds: null,
  holder: 'buyer' as const,
  isEmailConfirmed,
  limits: RESERVATION_LIMITS,
});

test('[OPS-26] an unconfirmed account may reserve less than a confirmed one', () => {
  const [unconfirmed, confirmed] = [
    getReservationTerms(createCounted(false)),
    getReservationTerms(createCounted(true)),
  ];
  assert.ok(unconfirmed && confirmed);
  assert.ok(unconfirmed.account.units < confirmed.account.units);
  assert.ok(unconfirmed.account.variants < confirmed.account.variants);
  assert.equal(getReservationTerms(null), null, 'without limits there are no caps');
});

test('[OPS-26] limits both units and variants', () => {
  const cap = { units: 5, variants: 3 };
  assert.equal(isOverCap([2, 3], cap), false);
  assert.equal(isOverCap([2, 4], cap), true);
  assert.equal(isOverCap([1, 1, 1, 1], cap), true);
});

test('[OPS-26] the last unit and more than half of the rest are scarce', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), (available, unpaid) => {
      assert.equal(isScarce({ available, unpaid }), unpaid > available);
    }),
  );
  assert.equal(isScarce({ available: 0, unpaid: 1 }), true);
  assert.equal(isScarce({ available: 50, unpaid: 50 }), false);
});

test('[OPS-26] a short window never ends after the full one', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (seconds) => {
      const expiresAt = new Date(now.getTime() + seconds * 1000);
      const window = computeShortWindow(now, expiresAt, RESERVATION_LIMITS);
      assert.equal(window === null, seconds <= RESERVATION_LIMITS.shortSeconds);
      if (window) assert.ok(window.expires_at < window.full_expires_at);
    }),
  );
});

test('[OPS-26] half of the amount keeps the items reserved, dust does not', () => {
  assert.equal(isHalfReceived(0n, 0n), false);
  assert.equal(isHalfReceived(294n, 1_000_000n), false);
  assert.equal(isHalfReceived(500_000n, 1_000_000n), true);
});

test('[OPS-26] a rejection message has the next step', () => {
  assert.match(
    describeReservationLimit('account', createCounted(false)),
    /Confirm the address or reduce the quantity$/,
  );
  assert.match(describeReservationLimit('account', createCounted(true)), /Reduce the quantity$/);
  assert.match(describeReservationLimit('network', createCounted(true)), /Try again later$/);
});

test('[OPS-13] reservations of staff have caps of their own, beside those of buyers', () => {
  const byStaff = { ...createCounted(false), holder: 'staff' as const };
  assert.deepEqual(getReservationTerms(byStaff), {
    account: STAFF_ORDER_LIMITS.order,
    network: STAFF_ORDER_LIMITS.total,
  });
  const staff = { kind: 'staff', userId: 'u' } as const;
  assert.ok(isHeldByStaff(getReservationNetwork(staff)));
  assert.ok(!isHeldByStaff(getReservationNetwork({ kind: 'buyer', userId: 'u', network: '192.0.2.1' })));
  assert.match(describeReservationLimit('account', byStaff), /200 units of 50 items .* Reduce the quantity$/);
  assert.match(describeReservationLimit('network', byStaff), /Cancel one, or wait until one is paid$/);
});

/** Whose reservations, and how many units of how many variants. */
const CAPS = [
  { quote: createCounted(true), of: 'account', units: 30, variants: 12 },
  { quote: createCounted(false), of: 'account', units: 5, variants: 3 },
  { quote: createCounted(true), of: 'network', units: 60, variants: 24 },
  { quote: { ...createCounted(true), holder: 'staff' }, of: 'account', units: 200, variants: 50 },
  { quote: { ...createCounted(true), holder: 'staff' }, of: 'network', units: 500, variants: 100 },
] as const;

for (const { quote, of, units, variants } of CAPS) {
  const who = quote.holder === 'buyer' && !quote.isEmailConfirmed ? 'new buyer' : quote.holder;
  test(`[OPS-26] ${who} by ${of} reserves at most ${units} of ${variants}`, () => {
    const cap = getReservationTerms(quote)?.[of] ?? assert.fail('there are no terms');
    const most = [units - variants + 1, ...Array.from({ length: variants - 1 }, () => 1)];
    const [first = 0, ...others] = most;
    assert.equal(isOverCap(most, cap), false);
    assert.equal(isOverCap([first + 1, ...others], cap), true);
    assert.equal(isOverCap([first - 1, ...others, 1], cap), true);
  });
}

test('[OPS-26] ten quotes a day per account, 100 per network and member', () => {
  const { quotesPerDay, networkQuotesPerDay } = RESERVATION_LIMITS;
  assert.deepEqual([quotesPerDay, networkQuotesPerDay, STAFF_ORDER_LIMITS.quotesPerDay], [10, 100, 100]);
});
