import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { openDatabase } from './database.ts';
import { WriteProbe } from './write-probe.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

const readWrittenAt = async (): Promise<string> => {
  const { rows } = await sql<{ at: string }>`select written_at::text as at from write_probe`.execute(database.db);
  return rows[0]?.at ?? '';
};

test('a thousand callers cause one write in some seconds', async () => {
  let nowMs = 0;
  const probe = new WriteProbe(database.db, { nowMs: () => nowMs });
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 1_000 }, () => probe.check()))), new Set(['ready']));
  const first = await readWrittenAt();
  nowMs = 2_999;
  assert.equal(await probe.check(), 'ready');
  assert.equal(await readWrittenAt(), first, 'the cached result is still valid');
  nowMs = 3_000;
  assert.equal(await probe.check(), 'ready');
  assert.notEqual(await readWrittenAt(), first);
});

test('a read-only database is not ready', async () => {
  const connection = { ...database.connection, options: '-c default_transaction_read_only=on' };
  const readOnly = openDatabase({ connection, log, poolSize: 1 });
  assert.equal(await new WriteProbe(readOnly.db).check(), 'read-only');
  await readOnly.close();
  assert.equal(await new WriteProbe(readOnly.db).check(), 'away');
});

test('no second write starts while one hangs', async () => {
  const held = await database.pool.connect();
  await held.query('begin');
  await held.query('lock table write_probe');
  const countWaiting = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from pg_locks where relation = 'write_probe'::regclass and not granted
    `.execute(database.db);
    return rows[0]?.n ?? -1;
  };
  const probe = new WriteProbe(database.db);
  assert.deepEqual(await Promise.all([probe.check(), probe.check()]), ['away', 'away']);
  assert.equal(await probe.check(), 'away');
  assert.equal(await countWaiting(), 1);
  await held.query('rollback');
  held.release();
});
