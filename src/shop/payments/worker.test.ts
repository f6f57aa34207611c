import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { silentLog, createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { LeaderLock } from '#src/platform/database/leader-lock.ts';
import { ChainSyncWorker } from './worker.ts';

const NEVER = 3_600_000;

class FakePayments {
  passes = 0;
  observations = 0;
  pollMs = NEVER;
  fault: Error | null = null;
  gate: Promise<void> = Promise.resolve();
  listener: () => void = () => {};

  async sync(): Promise<void> {
    this.passes += 1;
    await this.gate;
    if (this.fault !== null) throw this.fault;
  }

  computeSyncDelayMs = (pollMs: number): number => pollMs;

  async checkSource(): Promise<void> {}

  rescans = { step: async () => false };

  async observeSync(): Promise<void> {
    this.observations += 1;
  }

  onHint(listener: () => void): () => void {
    this.listener = listener;
    return () => {
      this.listener = () => {};
    };
  }
}

const createWorker = ({ connection }: TestDatabase, payments: FakePayments, pollMs = NEVER): ChainSyncWorker =>
  new ChainSyncWorker({
    payments,
    log: silentLog,
    leaderLock: new LeaderLock({ connection, role: 'test', log: silentLog }),
    pollMs,
  });

test('runs in one of two processes and moves when it stops', async () => {
  const database = await createTestDatabase();
  const [first, second] = [new FakePayments(), new FakePayments()];
  const [worker, otherWorker] = [createWorker(database, first), createWorker(database, second, 10)];
  await worker.start();
  await otherWorker.start();
  assert.deepEqual([first.passes, second.passes], [1, 0]);
  await waitUntil(() => second.observations > 1);
  assert.equal(second.passes, 0);
  await worker.stop();
  await waitUntil(() => second.passes > 0);
  await otherWorker.stop();
});

test('[PAY-09] continues after its lock connection was closed', async () => {
  const database = await createTestDatabase();
  const payments = new FakePayments();
  const worker = createWorker(database, payments, 10);
  await worker.start();
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'crypto-market leader' and datname = current_database()
  `.execute(database.db);
  const before = payments.passes;
  await waitUntil(() => payments.passes > before + 1);
  await worker.stop();
});

test('wakes resolve with a pass that began after the call', async () => {
  const database = await createTestDatabase();
  const payments = new FakePayments();
  const worker = createWorker(database, payments);
  await worker.start();
  const gate = Promise.withResolvers<void>();
  payments.gate = gate.promise;
  payments.listener();
  await waitUntil(() => payments.passes === 2);
  let isDone = false;
  const woken = worker.wake().then(() => (isDone = true));
  gate.resolve();
  payments.gate = Promise.resolve();
  await woken;
  assert.ok(isDone);
  assert.equal(payments.passes, 3);
  await worker.stop();
});

test('a failed pass rejects the call and the next one succeeds', async () => {
  const database = await createTestDatabase();
  const payments = new FakePayments();
  const worker = createWorker(database, payments);
  payments.fault = new Error('down');
  await worker.start();
  await assert.rejects(worker.wake(), /down/);
  payments.fault = null;
  await worker.wake();
  await worker.stop();
  await assert.rejects(worker.wake(), /is not running/);
});

test('stop waits for the running pass', async () => {
  const database = await createTestDatabase();
  const payments = new FakePayments();
  const worker = createWorker(database, payments);
  await worker.start();
  const gate = Promise.withResolvers<void>();
  payments.gate = gate.promise;
  payments.listener();
  await waitUntil(() => payments.passes === 2);
  let isStopped = false;
  const stopped = worker.stop().then(() => (isStopped = true));
  await sleep(20);
  assert.equal(isStopped, false);
  gate.resolve();
  await stopped;
});
