/** Further invariants of orders: stock, timeline, and requotes. */
import assert from 'node:assert/strict';
import { STOCK_QUANTITY, WINDOW_SECONDS } from './simulation-shop.ts';
import type { LedgerView, Stock, StoredOrder } from './simulation-shop.ts';
import { sumHeldSince, isWaiting } from './expected-payment.ts';
import type { Facts } from './expected-payment.ts';

/** Rounding up to payable amounts, in requotes; sats. */
const ROUNDED = 500n;

interface Quoting {
  readonly state: LedgerView;
  /** Of the quote before. */
  readonly credit: Facts['credit'];
  readonly now: number;
  /** What the items cost now, in cents. */
  readonly total: bigint;
}

/**
 * The same value in another window: parts in time are credited, and earlier credits while they
 * exist.
 */
export function compareQuote(before: StoredOrder, quoted: StoredOrder, { state, credit, now, total }: Quoting): void {
  const inTime = sumHeldSince(state, before, before.expires_at);
  assert.equal(quoted.expires_at.getTime(), now + WINDOW_SECONDS * 1000);
  assert.ok(quoted.credited_sats <= inTime, `credited ${quoted.credited_sats} of ${inTime}`);
  assert.equal(quoted.total_after_cents, total);
  const until = quoted.credited_sats === 0n ? null : before.expires_at.getTime();
  assert.equal(quoted.credited_until?.getTime() ?? null, until);
  if (total !== before.total_after_cents) return compareRepriced(before, quoted, { credit, inTime, total });
  if (credit === null || sumHeldSince(state, before, credit.until) >= credit.sats) {
    assert.equal(quoted.credited_sats, inTime < before.due_sats ? inTime : before.due_sats);
    return assert.equal(quoted.due_sats, before.due_sats);
  }
  const difference = quoted.due_sats - quoted.total_after_sats;
  assert.ok(difference < ROUNDED && difference > -ROUNDED, `due ${quoted.due_sats} of ${quoted.total_after_sats}`);
}

interface Repricing {
  readonly credit: Facts['credit'];
  readonly inTime: bigint;
  readonly total: bigint;
}

/** Parts in time keep their worth; the rest of the new total is due at the rate of the quote. */
function compareRepriced(before: StoredOrder, quoted: StoredOrder, { credit, inTime, total }: Repricing): void {
  const { due_sats: due, rate_cents_per_btc: rate, total_after_cents: former } = before;
  const whole = (total * 100_000_000n) / rate;
  assert.ok(quoted.due_sats >= quoted.credited_sats, 'the credit is part of the amount due');
  // Credits of several quotes are covered by tests of the rule.
  if (credit !== null) return;
  const part = inTime < due ? inTime : due;
  const worth = (former * part) / due;
  const left = total > worth ? total - worth : 0n;
  const expected = left === 0n ? whole : part + (left * 100_000_000n) / rate;
  const difference = quoted.due_sats - expected;
  assert.ok(difference < ROUNDED && difference > -ROUNDED, `due ${quoted.due_sats}, not ${expected}`);
}

/** Reserved while the order waits for payment, sold once when paid, otherwise available. */
export function compareStock(stock: Stock, orders: ReadonlyMap<string, Facts>): void {
  const held = [...orders].filter(([, facts]) => isWaiting(facts)).map(([id]) => id);
  const sold = [...orders.values()].filter(({ cancelled, paid }) => paid && !cancelled).length;
  assert.deepEqual(
    { heldBy: [...stock.heldBy].toSorted(), sold: stock.sold, available: stock.available },
    { heldBy: held.toSorted(), sold, available: STOCK_QUANTITY - held.length - sold },
    'stock',
  );
}

/** Paid is reported once, undone and paid again alternate, and no quote expires twice. */
export function compareEvents(id: string, { paid, status, requotes }: Facts, events: LedgerView['events']): void {
  const turns = events.filter(({ orderId }) => orderId === id).map(({ kind }) => kind);
  const payments = turns.filter((kind) => kind === 'paid' || kind === 'paid_again' || kind === 'reorged_out');
  const expected = payments.map((_, index) => (index % 2 === 1 ? 'reorged_out' : 'paid_again'));
  assert.deepEqual(payments, ['paid', ...expected.slice(1)].slice(0, payments.length), `payments of ${id}`);
  assert.equal(payments.length > 0, paid, 'a paid event exactly if it was ever paid');
  const isPaid = payments.length % 2 === 1;
  assert.equal(isPaid, status === 'paid', `events of ${id}: ${payments.join(', ')}, it is ${status}`);
  const expiries = turns.filter((kind) => kind === 'expired').length;
  assert.ok(expiries <= requotes + 1, `${expiries} expiries of ${id}`);
}
