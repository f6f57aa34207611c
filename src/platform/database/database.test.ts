import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, silentLog } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { compileOnce } from './compile-once.ts';
import {
  isCheckViolation,
  isDatabaseUnavailable,
  isStatementTimeout,
  isForeignKeyViolation,
  isUniqueViolation,
  openDatabase,
  transact,
} from './database.ts';
import type { Db } from './database.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await createTestDatabase();
  db = database.db;
  await sql`create table accounts (id int constraint accounts_key primary key, units bigint not null
    constraint accounts_not_negative check (units >= 0), parent int constraint accounts_parent references accounts)`.execute(
    db,
  );
});

async function readUnits(on: Db, id: number): Promise<bigint> {
  const { rows } = await sql<{ units: bigint }>`select units from accounts where id = ${id}`.execute(on);
  return rows[0]?.units ?? assert.fail();
}

test('maps int8 to bigint, timestamptz to Date, bytea to Buffer', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select 9007199254740993::bigint as big, ${2n ** 62n}::bigint as given, null::bigint as nothing,
      '2026-01-02T03:04:05Z'::timestamptz as at, '\\x00ff'::bytea as bytes, array[1, null]::int8[] as list, '{}'::int8[] as none`.execute(
    db,
  );
  assert.deepEqual(rows[0], {
    big: 9_007_199_254_740_993n,
    given: 2n ** 62n,
    nothing: null,
    at: new Date('2026-01-02T03:04:05Z'),
    bytes: Buffer.from([0, 255]),
    list: [1n, null],
    none: [],
  });
});

test('reports a violated constraint by its kind and name', async () => {
  await sql`insert into accounts values (1, 5)`.execute(db);
  const catchError = (id: number, units: number, parent: number | null): Promise<unknown> =>
    sql`insert into accounts values (${id}, ${units}, ${parent})`.execute(db).then(
      () => assert.fail('accepted'),
      (error: unknown) => error,
    );
  const unique = await catchError(1, 0, null);
  assert.ok(isUniqueViolation(unique) && isUniqueViolation(unique, 'accounts_key'));
  assert.ok(!isUniqueViolation(unique, 'accounts_not_negative') && !isCheckViolation(unique));
  const check = await catchError(2, -1, null);
  assert.ok(isCheckViolation(check, 'accounts_not_negative') && !isCheckViolation(check, 'accounts_key'));
  assert.ok(isForeignKeyViolation(await catchError(2, 1, 99), 'accounts_parent'));
  assert.ok(!isUniqueViolation(new Error('23505')) && !isUniqueViolation(undefined));
});

test('transact retries after a serialization failure', async () => {
  await sql`insert into accounts values (10, 0)`.execute(db);
  let runs = 0;
  const bothHaveRead = Promise.withResolvers<void>();
  const add = (): Promise<void> =>
    transact(
      db,
      async (trx) => {
        const units = await readUnits(trx, 10);
        if (++runs === 2) bothHaveRead.resolve();
        await bothHaveRead.promise;
        await sql`update accounts set units = ${units + 1n} where id = 10`.execute(trx);
      },
      { isolationLevel: 'repeatable read' },
    );
  await Promise.all([add(), add()]);
  assert.equal(await readUnits(db, 10), 2n);
  assert.equal(runs, 3);
});

test('transact retries after a deadlock', async () => {
  await sql`insert into accounts values (20, 0), (21, 0)`.execute(db);
  let runs = 0;
  const bothHoldOne = Promise.withResolvers<void>();
  const add = (ids: readonly number[]): Promise<void> =>
    transact(db, async (trx) => {
      for (const [index, id] of ids.entries()) {
        await sql`update accounts set units = units + 1 where id = ${id}`.execute(trx);
        if (index > 0) continue;
        if (++runs === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
      }
    });
  await Promise.all([add([20, 21]), add([21, 20])]);
  assert.deepEqual([await readUnits(db, 20), await readUnits(db, 21)], [2n, 2n]);
  // A quick retry may conflict a second time.
  assert.ok(runs >= 3, `${runs} runs`);
});

test('transact limits its attempts and does not retry other errors', async () => {
  let runs = 0;
  const raiseConflict = (trx: Db): Promise<unknown> => {
    runs++;
    return sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(trx);
  };
  await assert.rejects(transact(db, raiseConflict, { attempts: 3 }), { code: '40001' });
  assert.equal(runs, 3);
  runs = 0;
  await assert.rejects(
    transact(db, async (trx) => {
      runs++;
      await sql`insert into accounts values (30, 1)`.execute(trx);
      throw new RangeError('no');
    }),
    RangeError,
  );
  assert.equal(runs, 1);
  assert.equal((await sql`select from accounts where id = 30`.execute(db)).rows.length, 0);
});

test('transact joins the transaction of its caller', async () => {
  await assert.rejects(
    transact(db, async (trx) => {
      await transact(trx, (inner) => sql`insert into accounts values (40, 1)`.execute(inner));
      assert.equal(await readUnits(trx, 40), 1n);
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  assert.equal((await sql`select from accounts where id = 40`.execute(db)).rows.length, 0);
});

test('a connection lost in a transaction rejects and does not crash', async () => {
  const cut = transact(db, async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    await sql`select 1`.execute(trx);
  });
  await assert.rejects(cut, /terminat|closed|queryable|ECONNRESET|EPIPE/i);
  assert.equal(await database.ping(30_000), true);
});

test('transact retries after the server ended its idle transaction', async () => {
  await sql`insert into accounts values (40, 0)`.execute(db);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const hanging = openDatabase({ connection: database.connection, log, poolSize: 1, idleInTransactionMs: 50 });
  let attempts = 0;
  await transact(hanging.db, async (trx) => {
    attempts += 1;
    await sql`update accounts set units = units + 1 where id = 40`.execute(trx);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const isConnected = sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`;
    if (attempts === 1) await waitUntil(async () => (await isConnected.execute(db)).rows.length === 0);
    await sql`select 1`.execute(trx);
  });
  assert.equal(attempts, 2);
  assert.equal(await readUnits(db, 40), 1n);
  await hanging.close();
});

test('statements, lock waits and pings time out', async () => {
  const limits = { statementTimeoutMs: 400, lockTimeoutMs: 100, poolSize: 1 };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const limited = openDatabase({ connection: database.connection, log, ...limits });
  await assert.rejects(sql`select pg_sleep(30)`.execute(limited.db), (error) => isStatementTimeout(error));
  await transact(db, async (trx) => {
    await sql`update accounts set units = units where id = 1`.execute(trx);
    await assert.rejects(sql`update accounts set units = 0 where id = 1`.execute(limited.db), { code: '55P03' });
  });
  const connection = await limited.pool.connect();
  assert.equal(await limited.ping(50), false);
  connection.release();
  assert.equal(await limited.ping(30_000), true);
  await limited.close();
  assert.equal(await limited.ping(), false);
});

const selectChanging = compileOnce(
  (_db, { id }: { readonly id: number }) => sql`select * from changing where id = ${id}`,
);
const readChanging = (on: Db) => selectChanging(on, { id: 1 });

test('[OPS-22] a frequent statement is planned once and survives schema changes', async () => {
  await sql`create table changing (id integer)`.execute(db);
  await sql`insert into changing values (1)`.execute(db);
  await db.connection().execute(async (session) => {
    for (let times = 0; times < 5; times += 1) assert.deepEqual((await readChanging(session)).rows, [{ id: 1 }]);
    const prepared = await sql`
      select name from pg_prepared_statements where statement like '%from changing%'`.execute(session);
    assert.equal(prepared.rows.length, 1);
  });
  await sql`alter table changing add column note text`.execute(db);
  for (let times = 0; times < 3; times += 1) {
    assert.deepEqual((await transact(db, readChanging)).rows, [{ id: 1, note: null }]);
  }
  await sql`alter table changing add column more text`.execute(db);
  for (let times = 0; times < 3; times += 1) {
    assert.deepEqual((await readChanging(db)).rows, [{ id: 1, note: null, more: null }]);
  }
});

test('a query after the close counts as unavailable', async () => {
  const closed = openDatabase({ connection: database.connection, log: silentLog });
  await sql`select 1`.execute(closed.db);
  const pool = closed.pool;
  await closed.close();
  for (const query of [() => sql`select 1`.execute(closed.db), () => pool.query('select 1')]) {
    await assert.rejects(query, (error) => isDatabaseUnavailable(error));
  }
});
