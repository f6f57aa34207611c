import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sats } from '#src/shop/money.ts';
import { estimateFirstSeen, computeFirstSeenInMempool } from './first-seen.ts';
import type { LedgerOutput } from './payment-state.ts';
import { findLastUncertain } from './find-uncertain-payment.ts';

const getTimeAt = (seconds: number): Date => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds));

test('[PAY-10] a payment arrives when its node received it, not later than seen', () => {
  const createEntry = (seconds: number) => ({ arrivedAt: getTimeAt(seconds), feePerKvb: null });
  assert.deepEqual(computeFirstSeenInMempool(createEntry(-900), getTimeAt(-3600), getTimeAt(0)), {
    firstSeen: getTimeAt(-900),
    arrivedAfter: null,
  });
  assert.deepEqual(computeFirstSeenInMempool(createEntry(5), getTimeAt(-3600), getTimeAt(0)), {
    firstSeen: getTimeAt(0),
    arrivedAfter: null,
  });
});

test('[PAY-10] an unknown arrival is between the last sync and now', () => {
  const unknown = { arrivedAt: null, feePerKvb: null };
  assert.deepEqual(computeFirstSeenInMempool(unknown, getTimeAt(-3600), getTimeAt(0)), {
    firstSeen: getTimeAt(0),
    arrivedAfter: getTimeAt(-3600),
  });
  assert.deepEqual(computeFirstSeenInMempool(unknown, null, getTimeAt(0)), {
    firstSeen: getTimeAt(0),
    arrivedAfter: null,
  });
  // A block with a timestamp before the last sync proves nothing.
  assert.deepEqual(estimateFirstSeen(getTimeAt(10), getTimeAt(0)), { firstSeen: getTimeAt(0), arrivedAfter: null });
});

const seconds = fc.integer({ min: -100, max: 100 });
const output = fc.record({ firstSeen: seconds, arrivedAfter: fc.option(seconds), isLive: fc.boolean() });

test("[PAY-10] an arrival is uncertain if its range includes the window's end", () => {
  fc.assert(
    fc.property(fc.array(output, { maxLength: 5 }), (several) => {
      const outputs = several.map(({ firstSeen, arrivedAfter, isLive }): LedgerOutput => ({
        txid: 'ab'.repeat(32),
        vout: 0,
        amountSats: sats(1n),
        isCoinbase: false,
        isLive,
        height: null,
        firstSeen: getTimeAt(firstSeen),
        arrivedAfter: arrivedAfter === null ? null : getTimeAt(arrivedAfter),
        leftBecause: null,
        leftAt: null,
      }));
      const last = findLastUncertain(outputs, getTimeAt(0));
      const doubted = several.filter((one) => one.isLive && one.firstSeen > 0 && (one.arrivedAfter ?? 0) < 0);
      if (doubted.length === 0) assert.equal(last, null);
      else assert.deepEqual(last, getTimeAt(Math.max(...doubted.map(({ firstSeen }) => firstSeen))));
    }),
  );
});
