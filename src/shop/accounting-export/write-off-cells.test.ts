import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import { unclaimedSats, WRITE_OFF_COLUMNS, writeOffCells } from './write-off-cells.ts';
import type { BookedWriteOff } from './write-off-cells.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-04-01T12:00:00Z');
const unclaimed = (amount: bigint, reopenedAt: Date | null = null): BookedWriteOff => ({
  kind: 'unclaimed',
  amountSats: sats(amount),
  at: AT,
  reopenedAt,
});

test('[OPS-25] an order without write-offs has empty cells', () => {
  assert.deepEqual(
    writeOffCells([]),
    WRITE_OFF_COLUMNS.map(() => ''),
  );
});

test('[OPS-25] unclaimed money, its reversal and a loss stand in the accounting export', () => {
  const loss: BookedWriteOff = { kind: 'paid-twice', amountSats: sats(7n), at: AT, reopenedAt: null };
  const all = [unclaimed(300n, LATER), unclaimed(40n), loss];
  assert.deepEqual(writeOffCells(all), ['40', AT.toISOString(), `300 ${AT.toISOString()} ${LATER.toISOString()}`, '7']);
  assert.equal(unclaimedSats(all), 40n);
});
