import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SATS, sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import type { Debit, OrderToRefund } from '../refundable.ts';
import { decideWriteOff } from './write-off.ts';
import type { WriteOffPosition } from './write-off.ts';

const DAY_MS = 24 * 3600 * 1000;
const getDay = (days: number): Date => new Date(Date.parse('2026-03-01T12:00:00Z') + days * DAY_MS);
const AFTER_DAYS = 180;

const createOutput = (amountSats: bigint, firstSeen = getDay(0)): LedgerOutput => ({
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
  tolerance_sats: NO_SATS,
  required_confirmations: 2,
};
interface Given extends Partial<Omit<WriteOffPosition, 'refunds'>> {
  readonly order?: Partial<OrderToRefund>;
  readonly paid?: readonly LedgerOutput[];
  readonly debits?: readonly Debit[];
}
const createPosition = ({
  order,
  paid = [createOutput(900n)],
  debits = [],
  ...more
}: Given = {}): WriteOffPosition => ({
  refunds: { order: { ...CANCELLED, ...order }, outputs: paid, tip: { height: 300 }, debits },
  closed: [getDay(0)],
  address: null,
  lastReopenedAt: null,
  ...more,
});
const decideAt = (given: Given, now: Date) => decideWriteOff(createPosition(given), now, AFTER_DAYS);
const readReason = (given: Given, now: Date): string | null => {
  const decision = decideAt(given, now);
  return decision.ok ? null : decision.reason;
};

test('[OPS-25] unclaimed money is written off after the set number of days', () => {
  const early = decideAt({}, new Date(getDay(AFTER_DAYS).getTime() - 1));
  assert.deepEqual(early, { ok: false, reason: 'too-early', from: getDay(AFTER_DAYS) });
  assert.deepEqual(decideAt({}, getDay(AFTER_DAYS)), { ok: true, covers: 'whole', amountSats: 900n });
});

test('[OPS-25] a paid order writes off only its surplus', () => {
  const paid = { payment_status: 'paid', paid_at: getDay(0) } as const;
  assert.deepEqual(decideAt({ order: paid, paid: [createOutput(1400n)] }, getDay(AFTER_DAYS)), {
    ok: true,
    covers: 'surplus',
    amountSats: 400n,
  });
  assert.equal(readReason({ order: paid, paid: [createOutput(1000n)] }, getDay(AFTER_DAYS)), 'nothing-to-write-off');
});

test('[OPS-25] an action of the buyer or a payment restarts the period', () => {
  const named = { setAt: getDay(10), isUsable: false, dustSats: 294n };
  assert.equal(readReason({ address: named }, getDay(AFTER_DAYS + 9)), 'too-early');
  assert.equal(readReason({ address: named }, getDay(AFTER_DAYS + 10)), null);
  assert.equal(
    readReason({ paid: [createOutput(900n), createOutput(9n, getDay(20))] }, getDay(AFTER_DAYS + 19)),
    'too-early',
  );
  assert.equal(readReason({ lastReopenedAt: getDay(30) }, getDay(AFTER_DAYS + 29)), 'too-early');
});

test('[OPS-25] an amount that a usable address can receive is not written off', () => {
  const usable = { setAt: getDay(0), isUsable: true, dustSats: 546n };
  assert.equal(readReason({ address: usable }, getDay(AFTER_DAYS)), 'address-known');
  assert.equal(readReason({ address: usable, paid: [createOutput(545n)] }, getDay(AFTER_DAYS)), null);
});

test('[OPS-25] an amount below every dust limit is written off immediately', () => {
  assert.deepEqual(decideAt({ paid: [createOutput(293n)] }, getDay(0)), {
    ok: true,
    covers: 'whole',
    amountSats: 293n,
  });
  assert.equal(readReason({ paid: [createOutput(294n)] }, getDay(0)), 'too-early');
});

test('[OPS-25] open orders, open refunds and reorganized payments are not written off', () => {
  const now = getDay(AFTER_DAYS);
  const open: Debit = { covers: 'whole', state: 'made', debitSats: sats(900n) };
  assert.equal(readReason({ debits: [open] }, now), 'refund-open');
  assert.equal(readReason({ order: { payment_status: 'pending', is_open: true } }, now), 'order-open');
  assert.equal(readReason({ order: { payment_status: 'user_paid', paid_at: getDay(0) } }, now), 'reorged-out');
  assert.equal(readReason({ debits: [{ ...open, state: 'written_off' }] }, now), 'nothing-to-write-off');
  assert.equal(readReason({ debits: [{ ...open, state: 'reopened' }] }, now), null);
});
