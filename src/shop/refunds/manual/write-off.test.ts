import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import type { Debit, OrderToRefund } from '../refundable.ts';
import { decideWriteOff } from './write-off.ts';
import type { WriteOffPosition } from './write-off.ts';

const DAY_MS = 24 * 3600 * 1000;
const day = (days: number): Date => new Date(Date.parse('2026-03-01T12:00:00Z') + days * DAY_MS);
const AFTER_DAYS = 180;

const output = (amountSats: bigint, firstSeen = day(0)): LedgerOutput => ({
  txid: 'f'.repeat(64),
  vout: 0,
  amountSats: sats(amountSats),
  isCoinbase: false,
  isLive: true,
  height: 100,
  firstSeen,
  leftBecause: null,
  leftAt: null,
});
const CANCELLED: OrderToRefund = {
  payment_status: 'cancelled',
  is_open: false,
  paid_at: null,
  due_sats: sats(1000n),
  settled_sats: null,
  required_confirmations: 2,
};
interface Given extends Partial<Omit<WriteOffPosition, 'refunds'>> {
  readonly order?: Partial<OrderToRefund>;
  readonly paid?: readonly LedgerOutput[];
  readonly debits?: readonly Debit[];
}
const at = ({ order, paid = [output(900n)], debits = [], ...more }: Given = {}): WriteOffPosition => ({
  refunds: { order: { ...CANCELLED, ...order }, outputs: paid, tip: { height: 300 }, debits },
  closed: [day(0)],
  address: null,
  lastReopenedAt: null,
  ...more,
});
const decided = (given: Given, now: Date) => decideWriteOff(at(given), now, AFTER_DAYS);
const reasonOf = (given: Given, now: Date): string | null => {
  const decision = decided(given, now);
  return decision.ok ? null : decision.reason;
};

test('[OPS-25] unclaimed money is written off after the set number of days', () => {
  const early = decided({}, new Date(day(AFTER_DAYS).getTime() - 1));
  assert.deepEqual(early, { ok: false, reason: 'too-early', from: day(AFTER_DAYS) });
  assert.deepEqual(decided({}, day(AFTER_DAYS)), { ok: true, covers: 'whole', amountSats: 900n });
});

test('[OPS-25] a paid order writes off only its surplus', () => {
  const paid = { payment_status: 'paid', paid_at: day(0) } as const;
  assert.deepEqual(decided({ order: paid, paid: [output(1400n)] }, day(AFTER_DAYS)), {
    ok: true,
    covers: 'surplus',
    amountSats: 400n,
  });
  assert.equal(reasonOf({ order: paid, paid: [output(1000n)] }, day(AFTER_DAYS)), 'nothing-to-write-off');
});

test('[OPS-25] an action of the buyer or a payment restarts the period', () => {
  const named = { setAt: day(10), isUsable: false, dustSats: 294n };
  assert.equal(reasonOf({ address: named }, day(AFTER_DAYS + 9)), 'too-early');
  assert.equal(reasonOf({ address: named }, day(AFTER_DAYS + 10)), null);
  assert.equal(reasonOf({ paid: [output(900n), output(9n, day(20))] }, day(AFTER_DAYS + 19)), 'too-early');
  assert.equal(reasonOf({ lastReopenedAt: day(30) }, day(AFTER_DAYS + 29)), 'too-early');
});

test('[OPS-25] an amount that a usable address can receive is not written off', () => {
  const usable = { setAt: day(0), isUsable: true, dustSats: 546n };
  assert.equal(reasonOf({ address: usable }, day(AFTER_DAYS)), 'address-known');
  assert.equal(reasonOf({ address: usable, paid: [output(545n)] }, day(AFTER_DAYS)), null);
});

test('[OPS-25] an amount below every dust limit is written off immediately', () => {
  assert.deepEqual(decided({ paid: [output(293n)] }, day(0)), { ok: true, covers: 'whole', amountSats: 293n });
  assert.equal(reasonOf({ paid: [output(294n)] }, day(0)), 'too-early');
});

test('[OPS-25] open orders, open refunds and reorganized payments are not written off', () => {
  const now = day(AFTER_DAYS);
  const open: Debit = { covers: 'whole', state: 'made', debitSats: sats(900n) };
  assert.equal(reasonOf({ debits: [open] }, now), 'refund-open');
  assert.equal(reasonOf({ order: { payment_status: 'pending', is_open: true } }, now), 'order-open');
  assert.equal(reasonOf({ order: { payment_status: 'user_paid', paid_at: day(0) } }, now), 'reorged-out');
  assert.equal(reasonOf({ debits: [{ ...open, state: 'written_off' }] }, now), 'nothing-to-write-off');
  assert.equal(reasonOf({ debits: [{ ...open, state: 'reopened' }] }, now), null);
});
