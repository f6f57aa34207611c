import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { migrationsDirectory, createTestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import type { Db } from './database.ts';
import { migrate, readSchemaStatus } from './migrate.ts';

let base = '';
let directory = '';
let db: Db;

before(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
});
after(() => rm(base, { recursive: true, force: true }));

beforeEach(async () => {
  directory = await mkdtemp(path.join(base, 'set-'));
  ({ db } = await createTestDatabase());
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await write('0001_first.sql', 'create table first (n int);\ninsert into first values (1);\n');
  await write('0002_second.sql', 'create table second (n int);\n');
});

function write(name: string, text: string): Promise<void> {
  return writeFile(path.join(directory, name), text);
}

async function listTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function readRefusal(): Promise<string> {
  const present = await listTables();
  const message = await migrate(db, directory).then(
    () => assert.fail('not refused'),
    (error: unknown) => {
      assert.ok(error instanceof Error && error.name === 'DatabaseRefusedError', String(error));
      return error.message;
    },
  );
  assert.ok(!message.includes('\n'), 'one line');
  assert.deepEqual(await listTables(), present, 'nothing was changed');
  return message;
}

test('applies pending migrations once, in order, and returns them', async () => {
  assert.deepEqual(
    (await readSchemaStatus(db, directory)).pending.map(({ number }) => number),
    [1, 2],
  );
  assert.deepEqual(
    (await migrate(db, directory)).map(({ name }) => name),
    ['first', 'second'],
  );
  assert.deepEqual(await migrate(db, directory), []);
  await write('0003_third.sql', 'create table third (n int)');
  assert.deepEqual(
    (await migrate(db, directory)).map(({ name }) => name),
    ['third'],
  );
  assert.deepEqual(await listTables(), ['first', 'schema_migrations', 'second', 'third']);
  const { applied, pending, problem } = await readSchemaStatus(db, directory);
  assert.deepEqual([applied.map(({ number }) => number), pending, problem], [[1, 2, 3], [], null]);
  assert.ok(applied[0]?.applied_at instanceof Date);
});

test('parallel starts apply each migration once', async () => {
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(db, directory)));
  assert.deepEqual(
    runs
      .flat()
      .map(({ name }) => name)
      .toSorted(),
    ['first', 'second'],
  );
  assert.equal((await sql`select from first`.execute(db)).rows.length, 1);
});

test('a failed migration is rolled back; earlier ones stay', async () => {
  await write('0003_broken.sql', 'create table third (n int); select 1 / 0; create table fourth (n int);');
  await assert.rejects(migrate(db, directory), /Migration 0003_broken failed and was rolled back: division by zero/);
  assert.deepEqual(await listTables(), ['first', 'schema_migrations', 'second']);
});

test('[OPS-22] starts on a newer schema that works with the program', async () => {
  await write('0003_third.sql', 'alter table first add column m int');
  await write('0004_fourth.sql', '-- contract: first.n unused since 0003\nalter table first drop column n');
  await migrate(db, directory);
  await rm(path.join(directory, '0004_fourth.sql'));
  assert.deepEqual(await migrate(db, directory), []);
  assert.equal((await readSchemaStatus(db, directory)).problem, null);
  await rm(path.join(directory, '0003_third.sql'));
  assert.match(await readRefusal(), /newer than this program: it has migration 0004_fourth/);
  assert.match((await readSchemaStatus(db, directory)).problem ?? '', /newer/);
});

test('refuses a newer schema of a release that recorded nothing', async () => {
  await migrate(db, directory);
  await sql`alter table schema_migrations drop column oldest_program`.execute(db);
  await rm(path.join(directory, '0002_second.sql'));
  assert.match(await readRefusal(), /newer than this program.*0002_second/);
});

test('refuses a changed migration, except for its line ends', async () => {
  await migrate(db, directory);
  await write('0001_first.sql', 'create table first (n int);\r\ninsert into first values (1);\r\n');
  assert.deepEqual(await migrate(db, directory), []);
  await write('0001_first.sql', 'create table first (n bigint);\n');
  await write('0003_third.sql', 'create table third (n int)');
  assert.match(await readRefusal(), /0001_first was changed after it was applied/);
});

test('refuses gaps, duplicates and other names', async () => {
  await write('0004_fourth.sql', 'select 1');
  assert.match(await readRefusal(), /0004_fourth.sql is out of order: 0003 is missing/);
  await rm(path.join(directory, '0004_fourth.sql'));
  await write('0002_twice.sql', 'select 1');
  assert.match(await readRefusal(), /0002_twice.sql is out of order: its number is taken/);
  await rm(path.join(directory, '0002_twice.sql'));
  await write('3-third.sql', 'select 1');
  assert.match(await readRefusal(), /3-third.sql is not named like/);
});

test('[OPS-22] a migration behind a long transaction blocks others for a second only', async () => {
  await migrate(db, directory);
  await write('0003_third.sql', 'alter table first add column m int');
  let migrating: Promise<readonly { readonly name: string }[]> | undefined;
  await db.transaction().execute(async (trx) => {
    await sql`lock table first in access share mode`.execute(trx);
    migrating = migrate(db, directory);
    // Waits until the migration waits for the table, then reads it behind the migration.
    await waitUntil(async () => {
      const { rows } = await sql`select from pg_locks where relation = 'first'::regclass and not granted`.execute(db);
      return rows.length > 0;
    });
    await sql`select from first`.execute(db);
    assert.deepEqual((await readSchemaStatus(db, directory)).pending.length, 1);
  });
  assert.deepEqual(
    (await migrating)?.map(({ name }) => name),
    ['third'],
  );
});

test("the shop's own migrations are applied in every test database", async () => {
  const { db: fresh } = await createTestDatabase();
  const files = (await readdir(migrationsDirectory)).filter((name) => name.endsWith('.sql'));
  const status = await readSchemaStatus(fresh, migrationsDirectory);
  assert.deepEqual([status.applied.length, status.pending, status.problem], [files.length, [], null]);
});
