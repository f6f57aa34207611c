import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { judgePayment } from './payment-verdict.ts';
import type { OrderPaid, PaymentVerdict } from './payment-verdict.ts';

const TIP = { height: 500 };
const EXPIRES = new Date('2026-03-01T12:00:00Z');
const output: LedgerOutput = {
  txid: 'ab'.repeat(32),
  vout: 0,
  amountSats: sats(100_000n),
  isCoinbase: false,
  isLive: true,
  height: 495,
  firstSeen: EXPIRES,
  leftBecause: null,
  leftAt: null,
};
const order: OrderPaid = {
  payment_status: 'pending',
  refund_state: null,
  required_confirmations: 3,
  expires_at: EXPIRES,
  paid_at: null,
};
const later = new Date(EXPIRES.getTime() + 1);

test('[OPS-25] describes whether each payment counts, or why not', () => {
  const cases: readonly (readonly [Partial<LedgerOutput>, Partial<OrderPaid>, PaymentVerdict])[] = [
    [{}, {}, 'counts'],
    [{ height: null }, {}, 'unconfirmed'],
    [{ height: 499 }, {}, 'confirming'],
    [{ isCoinbase: true, height: 402 }, {}, 'immature'],
    [{ isCoinbase: true, height: 401 }, {}, 'counts'],
    [{ amountSats: sats(293n) }, {}, 'dust'],
    [{ isLive: false, height: null, leftBecause: 'replaced' }, {}, 'replaced'],
    [{ isLive: false, height: null, leftBecause: 'dropped' }, {}, 'dropped'],
    [{ firstSeen: later }, { payment_status: 'expired' }, 'late'],
    [{ firstSeen: later }, { payment_status: 'paid', paid_at: later }, 'counts'],
    [{}, { payment_status: 'expired' }, 'order-expired'],
    [{}, { payment_status: 'cancelled' }, 'order-cancelled'],
    [{}, { payment_status: 'paid', paid_at: EXPIRES, refund_state: 'refunded' }, 'order-refunded'],
    [{ height: null }, { payment_status: 'cancelled' }, 'unconfirmed'],
  ];
  for (const [of, was, verdict] of cases) {
    assert.equal(judgePayment({ ...output, ...of }, { ...order, ...was }, TIP), verdict);
  }
});
