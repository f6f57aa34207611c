import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { createRateStore } from './store.ts';
import type { StoredRate } from './store.ts';

const createRate = (medianCents: bigint, seconds: number): StoredRate => ({
  medianCents,
  quotes: [{ source: 'kraken', bid_cents: '1' }],
  dropped: [{ source: 'gemini', because: 'old' }],
  at: new Date('2026-03-01T12:00:00Z'),
  receivedAt: new Date(Date.UTC(2026, 2, 1, 12, 0, seconds)),
});

test('[PAY-06] stores the newest rate of all processes', async () => {
  const { db } = await createTestDatabase();
  const [here, there] = [createRateStore(db), createRateStore(db)];
  assert.equal(await here.read(), null);
  await here.write(createRate(10_000_000n, 10));
  await there.write(createRate(10_100_000n, 20));
  await here.write(createRate(9_000_000n, 15));
  assert.deepEqual(await here.read(), createRate(10_100_000n, 20));
});
