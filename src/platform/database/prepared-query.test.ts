import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { isUniqueViolation } from './database.ts';
import type { Db } from './database.ts';

let db: Db;
before(async () => {
  ({ db } = await createTestDatabase());
  await sql`create table notes (id integer primary key, note text)`.execute(db);
});

/** More than the uses after which a statement is prepared. */
const USES = 6;

/** Executes on one connection, so that its prepared statements are used. */
const repeat = (work: (session: Db, use: number) => Promise<void>): Promise<void> =>
  db.connection().execute(async (session) => {
    for (let use = 0; use < USES; use += 1) await work(session, use);
  });

test('a prepared statement takes and returns values as an unprepared one does', async () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  const bytes = Buffer.from([0, 92, 255]);
  const texts = ['plain', 'a "quoted", {braced} one', String.raw`back\slash`, '', 'NULL', 'ü€𝄞', null];
  await repeat(async (session) => {
    const { rows } = await sql`
      select ${'ü€𝄞'}::text as text, ${''}::text as empty, ${null}::text as nothing, ${undefined}::text as missing,
        ${2n ** 62n}::bigint as big, ${-7}::integer as small, ${1.5}::float8 as real, ${true}::boolean as yes,
        ${at}::timestamptz as at, ${bytes}::bytea as bytes, ${Buffer.alloc(0)}::bytea as none,
        ${texts}::text[] as texts, ${[]}::text[] as "noTexts", ${[1n, null]}::bigint[] as bigs,
        ${JSON.stringify({ a: [1] })}::jsonb as json
    `.execute(session);
    assert.deepEqual(rows, [
      {
        text: 'ü€𝄞',
        empty: '',
        nothing: null,
        missing: null,
        big: 2n ** 62n,
        small: -7,
        real: 1.5,
        yes: true,
        at,
        bytes,
        none: Buffer.alloc(0),
        texts,
        noTexts: [],
        bigs: [1n, null],
        json: { a: [1] },
      },
    ]);
  });
});

test('prepared statements accept objects, nested arrays and distant dates', async () => {
  await repeat(async (session) => {
    const far = new Date('+012026-01-02T03:04:05Z');
    const { rows } = await sql`
      select ${{ a: 1 }}::jsonb as object, ${[['x'], ['y']]}::text[] as nested, ${far}::timestamptz = 'infinity' as far
    `.execute(session);
    assert.deepEqual(rows, [{ object: { a: 1 }, nested: [['x'], ['y']], far: false }]);
  });
});

test('a prepared statement reports affected rows and has no rows of earlier executions', async () => {
  await repeat(async (session, use) => {
    const inserted = await sql`insert into notes values (${use}, ${'note'})`.execute(session);
    assert.deepEqual([inserted.numAffectedRows, inserted.rows], [1n, []]);
    const found = await sql`select id from notes where id >= ${0} order by id`.execute(session);
    assert.deepEqual(
      found.rows,
      Array.from({ length: use + 1 }, (_, id) => ({ id })),
    );
    const none = await sql`update notes set note = ${'other'} where id = ${-1} returning id`.execute(session);
    assert.deepEqual([none.numAffectedRows, none.rows], [0n, []]);
  });
});

const insert = (session: Db, id: number) =>
  sql`insert into notes (id) values (${id}) returning id, note`.execute(session);

test('a prepared statement works after it failed, also at its first execution', async () => {
  await sql`insert into notes values (100, 'taken')`.execute(db);
  await repeat(async (session, use) => {
    await assert.rejects(insert(session, 100), (error) => isUniqueViolation(error, 'notes_pkey'));
    assert.deepEqual((await insert(session, 200 + use)).rows, [{ id: 200 + use, note: null }]);
    await assert.rejects(sql`select 1 / ${0}::integer as one`.execute(session), /division by zero/);
    assert.deepEqual((await sql`select 1 / ${1}::integer as one`.execute(session)).rows, [{ one: 1 }]);
  });
});

const select = (session: Db, value: unknown) => sql`select ${value}::jsonb as value`.execute(session);

test('a value that cannot be sent fails alone', async () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  await repeat(async (session) => {
    await assert.rejects(select(session, circular), /circular/);
    assert.deepEqual((await select(session, { a: 1 })).rows, [{ value: { a: 1 } }]);
  });
});
