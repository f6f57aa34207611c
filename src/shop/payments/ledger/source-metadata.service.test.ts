import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { MempoolEntry } from '#src/platform/bitcoin/chain-source.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { SourceMetadata } from './source-metadata.service.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const TXID = 'ab'.repeat(32);
const getTimeAfter = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

let db: Db;
before(async () => {
  ({ db } = await createTestDatabase());
});

function open(
  source: {
    time?: () => Promise<Date | null>;
    entry?: () => Promise<MempoolEntry>;
    feeRate?: () => Promise<number | null>;
  } = {},
) {
  const lines: [string, object][] = [];
  const write = (fields: object, message: string): void => void lines.push([message, fields]);
  const { entry = async () => ({ arrivedAt: getTimeAfter(-600), feePerKvb: 1000n }) } = source;
  const facts = new SourceMetadata({
    db,
    clock: { now: () => NOW },
    log: { debug: write, info: write, warn: write, error: write },
    source: {
      readTime: source.time ?? (async () => NOW),
      readMempoolEntries: async (txids) =>
        new Map(await Promise.all(txids.map(async (txid) => [txid, await entry()] as const))),
      estimateFeeRate: source.feeRate ?? (async () => 3.5),
    },
  });
  return { facts, lines };
}
const rejectCall = () => Promise.reject(new ChainSourceError('refused'));

test('[PAY-10] corrects arrival times by the source’s clock and logs the offset', async () => {
  const { facts, lines } = open({ time: async () => getTimeAfter(300) });
  const arrivedAt = (await facts.readMempoolEntries([TXID])).get(TXID)?.arrivedAt;
  assert.equal(arrivedAt?.toISOString(), getTimeAfter(-900).toISOString());
  await facts.readMempoolEntries([TXID]);
  assert.deepEqual(
    lines.map(([message, fields]) => [message.includes('clock'), fields]),
    [[true, { seconds: 300 }]],
    'once',
  );
});

test('[PAY-10] leaves arrival times as they are without an offset', async () => {
  for (const time of [async () => getTimeAfter(1), async () => null, rejectCall]) {
    const { facts } = open({ time });
    const arrivedAt = (await facts.readMempoolEntries([TXID])).get(TXID)?.arrivedAt;
    assert.equal(arrivedAt?.toISOString(), getTimeAfter(-600).toISOString());
  }
});

test('[PAY-10] a source without metadata leaves times unknown and logs once', async () => {
  const { facts, lines } = open({ entry: rejectCall });
  assert.equal((await facts.readMempoolEntries([TXID])).size, 0);
  assert.equal((await facts.readMempoolEntries([TXID])).size, 0);
  assert.equal(lines.length, 1);
});

test('[PAY-10] stores the day estimate and refreshes it periodically', async () => {
  let calls = 0;
  const feeRate = async () => {
    calls += 1;
    return 3.5;
  };
  const { facts } = open({ feeRate });
  await facts.refresh();
  await facts.refresh();
  assert.equal(calls, 1);
  const readDayFee = async () =>
    (await sql<{ fee: bigint }>`select day_per_kvb as fee from recent_day_fee`.execute(db)).rows[0]?.fee ?? null;
  assert.equal(await readDayFee(), 3500n);
  await sql`update fee_estimates set asked_at = now() - interval '4 hours'`.execute(db);
  assert.equal(await readDayFee(), null, 'an old estimate is ignored');
  await open({ feeRate: async () => null }).facts.refresh();
  await open({ feeRate: rejectCall }).facts.refresh();
  assert.equal(await readDayFee(), null);
});
