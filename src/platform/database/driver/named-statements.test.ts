import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, silentLog } from '../../../../tests/support/database.ts';
import type { TestDatabase } from '../../../../tests/support/database.ts';
import { compileOnce } from '../compile-once.ts';
import { openDatabase } from '../database.ts';
import type { Database, Db } from '../database.ts';

let shared: TestDatabase;
/** With one connection. */
let database: Database;
let db: Db;
before(async () => {
  shared = await createTestDatabase();
  database = openDatabase({ connection: shared.connection, log: silentLog, poolSize: 1 });
  db = database.db;
});
after(() => database.close());

const echo = compileOnce((_db, { value }: { readonly value: unknown }) => sql`select ${value}::jsonb as value`);
const divide = compileOnce(
  (_db, { by }: { readonly by: number }) => sql<{ result: number }>`select 6 / ${by}::integer as result`,
);
const listPrepared = async (on: Db): Promise<readonly string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(on);
  return rows.map(({ statement }) => statement);
};

test('only a statement that is compiled once is prepared', async () => {
  for (let use = 0; use < 6; use += 1) {
    assert.deepEqual((await echo(db, { value: { use } })).rows, [{ value: { use } }]);
    await sql`select ${use}::integer as use`.execute(db);
  }
  assert.deepEqual(await listPrepared(db), ['select $1::jsonb as value']);
});

test('a prepared statement works after it failed, also at its first execution', async () => {
  for (let use = 0; use < 3; use += 1) {
    await assert.rejects(divide(db, { by: 0 }), /division by zero/);
    assert.deepEqual((await divide(db, { by: 2 })).rows, [{ result: 3 }]);
  }
});

test('a value that cannot be sent fails alone', async () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  for (let use = 0; use < 3; use += 1) {
    await assert.rejects(echo(db, { value: circular }), /circular/);
    assert.deepEqual((await echo(db, { value: { use } })).rows, [{ value: { use } }]);
  }
});

test('a statement that the connection has lost is prepared again', async () => {
  await divide(db, { by: 1 });
  await sql`deallocate all`.execute(db);
  assert.deepEqual((await divide(db, { by: 3 })).rows, [{ result: 2 }]);
});

test('nothing is prepared when prepared statements are off', async () => {
  const plain = openDatabase({
    connection: shared.connection,
    log: silentLog,
    poolSize: 1,
    hasPreparedStatements: false,
  });
  assert.deepEqual((await echo(plain.db, { value: 1 })).rows, [{ value: 1 }]);
  assert.deepEqual(await listPrepared(plain.db), []);
  await plain.close();
});
