/**
 * Migrations that the previous release survives: it runs while the new one migrates, and again after a step back. What a
 * migration takes away must be named in it, with the migration since which the code does without it.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readContractLines } from '#src/platform/database/contract-lines.ts';
import type { Db } from '#src/platform/database/database.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { createTestDatabase, migrationsDirectory } from './support/database.ts';
import { findBreakingChanges, findRewrittenTables } from './support/find-breaking-changes.ts';
import { readSchemaSnapshot } from './support/schema-snapshot.ts';
import type { SchemaSnapshot } from './support/schema-snapshot.ts';

/** Migrations up to this one are older than the rule. */
const NEWEST_EXEMPT = 66;
const REWRITE_LINE = /^-- rewrites: (\S+) \S/gm;

async function createEmptyDatabase(): Promise<Db> {
  const { db } = await createTestDatabase();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  return db;
}

/** Everything that is wrong with a migration. */
function checkMigration(number: number, text: string, before: SchemaSnapshot, after: SchemaSnapshot): string[] {
  const lines = readContractLines(text);
  const breaking = findBreakingChanges(before, after);
  const rewritten = findRewrittenTables(before, after);
  const announced = new Set([...text.matchAll(REWRITE_LINE)].map(([, table = '']) => table));
  return [
    ...breaking
      .filter(({ object }) => !lines.some((line) => line.object === object && line.since < number))
      .map(({ object, reason }) => `${object} ${reason}`),
    ...lines
      .filter(({ object }) => !breaking.some((change) => change.object === object))
      .map(({ object }) => `${object} does not need its contract line`),
    ...rewritten.filter((table) => !announced.has(table)).map((table) => `${table} is rewritten`),
  ];
}

const HINT = `A migration may only add. To take something away, first release code that does without it, and name it in the
later migration: "-- contract: OBJECT unused since NNNN", where NNNN is the newest migration of that release.
A rewrite blocks a table: "-- rewrites: TABLE why it is short". See "Migrations" in CONTRIBUTING.md.`;

test('[OPS-22] no migration breaks the previous release', async () => {
  const files = (await readdir(migrationsDirectory)).filter((name) => name.endsWith('.sql')).toSorted();
  if (files.length <= NEWEST_EXEMPT) return;
  const db = await createEmptyDatabase();
  await migrate(db, migrationsDirectory, NEWEST_EXEMPT);
  const problems: string[] = [];
  for (let number = NEWEST_EXEMPT + 1; number <= files.length; number += 1) {
    const before = await readSchemaSnapshot(db);
    const [{ text, name } = assert.fail()] = await migrate(db, migrationsDirectory, number);
    const found = checkMigration(number, text, before, await readSchemaSnapshot(db));
    problems.push(...found.map((problem) => `${number} ${name}: ${problem}`));
  }
  assert.deepEqual(problems, [], HINT);
});

const BASE = `
  create type colour as enum ('red', 'blue');
  create table makers (id int primary key);
  create table items (
    id int primary key, name text, price int not null default 0, maker int not null,
    kind text not null check (kind in ('a', 'b')), size int check (size > 0), colour colour);
  create view cheap as select id, name from items where price < 10;
  create function double_it(n int) returns int language sql as 'select n * 2';
  create index items_maker on items (maker);`;

/** Statements of a second migration, and what the check finds in them. */
const CASES: readonly (readonly [statement: string, problems: readonly string[]])[] = [
  ['create table colours (id int primary key, name text not null unique)', []],
  ['alter table items add column note text', []],
  ["alter table items add column state text not null default 'new' check (state in ('new', 'old'))", []],
  ['alter table items add column maker_too int references makers', []],
  ['create index items_name on items (name); drop index items_maker', []],
  ['alter table items drop constraint items_size_check', []],
  ['alter table items alter column maker drop not null', []],
  [
    "alter table items drop constraint items_kind_check; alter table items add constraint items_kind_check check (kind in ('a', 'b', 'c'))",
    [],
  ],
  ['create or replace view cheap as select id, name, price from items where price < 9', []],
  ['drop table makers', ['makers is removed or renamed']],
  ['alter table makers rename to brands', ['makers is removed or renamed']],
  ['alter table items drop column size', ['items.size is removed or renamed']],
  ['alter table items rename column size to height', ['items.size is removed or renamed']],
  [
    'alter table items alter column size type bigint',
    ['items.size has type bigint instead of integer', 'items is rewritten'],
  ],
  ['alter table items alter column size set not null', ['items.size becomes not null']],
  ['alter table items add column weight int not null', ['items.weight is new, not null and without a default']],
  ['alter table items alter column price drop default', ['items.price loses its default and is not null']],
  [
    'alter table items add constraint items_maker_fkey foreign key (maker) references makers',
    ['items.items_maker_fkey is a new rule for columns that exist'],
  ],
  [
    'create unique index items_by_name on items (lower(name))',
    ['items.items_by_name is a new rule for columns that exist'],
  ],
  ['alter table items add constraint low check (price < 9)', ['items.low is a new rule for columns that exist']],
  [
    'alter table items add column code int default 1 unique',
    ['items.items_code_key is a new rule for columns that exist'],
  ],
  [
    "alter table items drop constraint items_kind_check; alter table items add constraint items_kind_check check (kind in ('a', 'c'))",
    ['items.items_kind_check is a changed rule'],
  ],
  [
    'alter table items drop constraint items_size_check; alter table items add constraint items_size_check check (size > 1)',
    ['items.items_size_check is a changed rule'],
  ],
  ['drop view cheap; create view cheap as select id from items', ['cheap.name is removed or renamed']],
  ['drop function double_it', ['double_it(integer) is removed or renamed']],
  ["alter type colour rename value 'red' to 'crimson'", ['colour.red is removed or renamed']],
  ['-- contract: items.size unused since 0001\nalter table items drop column size', []],
  [
    '-- contract: items.size unused since 0002\nalter table items drop column size',
    ['items.size is removed or renamed'],
  ],
  ['-- contract: items.size unused since 0001\nselect 1', ['items.size does not need its contract line']],
  [
    '-- contract: items.size unused since 0001\n-- rewrites: items has few rows\nalter table items alter column size type bigint',
    [],
  ],
];

test('[OPS-22] finds each kind of change that breaks the previous release', async (t) => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'expand-'));
  t.after(() => rm(directory, { recursive: true }));
  const db = await createEmptyDatabase();
  await writeFile(path.join(directory, '0001_base.sql'), BASE);
  await migrate(db, directory);
  const before = await readSchemaSnapshot(db);
  for (const [statement, expected] of CASES) {
    await db
      .transaction()
      .execute(async (trx) => {
        await sql.raw(statement).execute(trx);
        const found = checkMigration(2, statement, before, await readSchemaSnapshot(trx));
        assert.deepEqual(found, expected, statement);
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
  }
});

class Undone extends Error {}

test('[OPS-22] refuses a contract line without an earlier migration', () => {
  assert.deepEqual(readContractLines('-- contract: items.size unused since 0061\n-- A contract with words.'), [
    { object: 'items.size', since: 61 },
  ]);
  assert.throws(() => readContractLines('-- contract: items.size is unused'), /not "-- contract/);
});
