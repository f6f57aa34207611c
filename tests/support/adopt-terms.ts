/** Independent model of the order terms that the shop may change automatically. */
import assert from 'node:assert/strict';
import { PRESENT_RATE, UNCONFIRMED_LIMIT_SECONDS } from './simulation-shop.ts';
import type { LedgerView, StoredOrder } from './simulation-shop.ts';
import { mayBeLate } from './expected-payment.ts';
import type { Facts } from './expected-payment.ts';

/** Rounding to whole cents and to payable amounts; sats. */
const ROUNDED = 500n;

/** The window is only extended, at most to a payment that may have arrived in time. */
function adoptWindow(order: StoredOrder, stored: StoredOrder, { rows }: LedgerView, { credit }: Facts): StoredOrder {
  if (stored.expires_at.getTime() === order.expires_at.getTime()) return order;
  const until = stored.expires_at.getTime();
  assert.ok(until > order.expires_at.getTime(), `the window of ${order.id} became shorter`);
  const isInDoubt = [...rows.values()].some(
    ({ recipientId, firstSeen, arrivedAfter }) =>
      recipientId === order.id && firstSeen.getTime() === until && arrivedAfter && arrivedAfter < order.expires_at,
  );
  assert.ok(isInDoubt, `${order.id} has no payment of uncertain arrival`);
  assert.ok(mayBeLate(order, credit?.sats ?? 0n, PRESENT_RATE), `the rate does not allow extending ${order.id}`);
  return { ...order, expires_at: stored.expires_at };
}

/** A late order that its payments cover at the present rate is paid. */
function adoptPrice(order: StoredOrder, stored: StoredOrder): StoredOrder {
  if (stored.due_sats === order.due_sats) return order;
  assert.ok(stored.paid_at, `${order.id} has another price and was never paid`);
  assert.equal(stored.rate_cents_per_btc, PRESENT_RATE);
  const whole = (order.due_sats * order.rate_cents_per_btc) / PRESENT_RATE;
  // Less than before only by rounding: the replacement of a lost credit is counted in whole cents.
  const isWithin = stored.due_sats > order.due_sats - ROUNDED && stored.due_sats < whole + ROUNDED;
  assert.ok(isWithin, `${stored.due_sats} of ${whole}`);
  const { due_sats, rate_cents_per_btc, credited_sats, credited_until, unpaid_cents, total_sats, total_after_sats } =
    stored;
  return {
    ...order,
    due_sats,
    rate_cents_per_btc,
    credited_sats,
    credited_until,
    unpaid_cents,
    total_sats,
    total_after_sats,
  };
}

/** The order with the terms that the shop set, if they are allowed. */
export function adoptTerms(order: StoredOrder, stored: StoredOrder, state: LedgerView, facts: Facts): StoredOrder {
  return adoptPrice(adoptWindow(order, stored, state, facts), stored);
}

/** Sum of final outputs first seen by a time and confirmed soon enough to keep their price. */
function sumDeepInTime({ cursor, rows }: LedgerView, order: StoredOrder): bigint {
  let sum = 0n;
  for (const { recipientId, isLive, isCoinbase, height, firstSeen, confirmedAt, amountSats } of rows.values()) {
    if (recipientId !== order.id || !isLive || isCoinbase || height === null || cursor === null) continue;
    const isDeep = cursor.height - height + 1 >= order.required_confirmations;
    const limit = firstSeen.getTime() + UNCONFIRMED_LIMIT_SECONDS * 1000;
    const holdsPrice = !confirmedAt || confirmedAt.getTime() <= limit;
    if (isDeep && holdsPrice && firstSeen.getTime() <= order.expires_at.getTime()) sum += amountSats;
  }
  return sum;
}

/**
 * Whether the final outputs of a late order cover the price at the present rate. Null if rounding
 * decides or a credited output left.
 */
export function isCoveredAtPresentRate(
  order: StoredOrder,
  deep: bigint,
  state: LedgerView,
  { credit }: Pick<Facts, 'credit'>,
): boolean | null {
  if (deep === 0n) return false;
  if (credit !== null) return null;
  const inTime = sumDeepInTime(state, order);
  const credited = inTime < order.due_sats ? inTime : order.due_sats;
  const price = credited + ((order.due_sats - credited) * order.rate_cents_per_btc) / PRESENT_RATE;
  if (deep >= price + ROUNDED || (credited === order.due_sats && deep >= price)) return true;
  return deep < price - ROUNDED ? false : null;
}
