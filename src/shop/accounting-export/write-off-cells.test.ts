import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import { sumUnclaimedSats, WRITE_OFF_COLUMNS, createWriteOffCells } from './write-off-cells.ts';
import type { ExportedWriteOff } from './write-off-cells.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-04-01T12:00:00Z');
const createUnclaimed = (amount: bigint, reopenedAt: Date | null = null): ExportedWriteOff => ({
  kind: 'unclaimed',
  amountSats: sats(amount),
  at: AT,
  reopenedAt,
});

test('[OPS-25] an order without write-offs has empty cells', () => {
  assert.deepEqual(
    createWriteOffCells([]),
    WRITE_OFF_COLUMNS.map(() => ''),
  );
});

test('[OPS-25] write-offs, their reversal and losses have cells', () => {
  const loss: ExportedWriteOff = { kind: 'paid-twice', amountSats: sats(7n), at: AT, reopenedAt: null };
  const all = [createUnclaimed(300n, LATER), createUnclaimed(40n), loss];
  assert.deepEqual(createWriteOffCells(all), [
    '40',
    AT.toISOString(),
    `300 ${AT.toISOString()} ${LATER.toISOString()}`,
    '7',
  ]);
  assert.equal(sumUnclaimedSats(all), 40n);
});
