import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { compileOnce } from './compile-once.ts';
import type { Db } from './database.ts';

let db: Db;
before(async () => {
  ({ db } = await createTestDatabase());
});

const notes = (on: Db) => on.$extendTables<{ notes: { id: number; note: string | null } }>();

interface Sum {
  readonly first: number;
  readonly second: number;
}

test('a statement is built once and executed with the values of each call', async () => {
  let builds = 0;
  const add = compileOnce((_db, { first, second }: Sum) => {
    builds += 1;
    return sql<{ sum: number }>`select ${first}::integer + ${second}::integer + ${first}::integer as sum`;
  });
  assert.deepEqual((await add(db, { first: 1, second: 2 })).rows, [{ sum: 4 }]);
  assert.deepEqual((await add(db, { second: 10, first: 20 })).rows, [{ sum: 50 }]);
  assert.equal(builds, 1);
});

test('a query of the builder takes parameters, and null is a value', async () => {
  await sql`create table notes (id integer, note text)`.execute(db);
  const insert = compileOnce((on, { id, note }: { readonly id: number; readonly note: string | null }) =>
    notes(on).insertInto('notes').values({ id, note }),
  );
  const find = compileOnce((on, { id }: { readonly id: number }) =>
    notes(on).selectFrom('notes').select('note').where('id', '=', id),
  );
  assert.equal((await insert(db, { id: 1, note: null })).numAffectedRows, 1n);
  await insert(db, { id: 2, note: 'two' });
  assert.deepEqual((await find(db, { id: 1 })).rows, [{ note: null }]);
  assert.deepEqual((await find(db, { id: 2 })).rows, [{ note: 'two' }]);
});

test('refuses a statement that depends on a value', async () => {
  const compared = compileOnce((_db, { first }: Pick<Sum, 'first'>) => (first > 1 ? sql`select 1` : sql`select 2`));
  assert.throws(() => compared(db, { first: 1 }), /depends on the value of its parameter "first"/);
  const listed = compileOnce((_db, { first }: Pick<Sum, 'first'>) => sql`select ${[first]}::integer[]`);
  assert.throws(() => listed(db, { first: 1 }), /is part of a list/);
});
