import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { openLog } from './log.ts';

const SECRET = 'alice@private.example';

/** A line of the log with this error. */
function logError(error: unknown): string {
  let output = '';
  openLog('info', { write: (line) => void (output += line) }).error({ err: error }, 'an unexpected error occurred');
  return output;
}

test('[OPS-32] the log has no values of rows or requests of a failed statement', async () => {
  const { db } = await createTestDatabase();
  await sql`create table notes (email text primary key, size integer check (size > 0))`.execute(db);
  await sql`insert into notes values (${SECRET}, 1)`.execute(db);
  const statements = [
    sql`insert into notes values (${SECRET}, 1)`,
    sql`insert into notes values (${`x${SECRET}`}, 0)`,
    sql`insert into notes values ('a', ${SECRET})`,
    sql`select ${SECRET}::text::jsonb`,
    sql`select ${`{"a": ${SECRET}}`}::text::jsonb`,
    sql`select ${SECRET}::text::timestamptz`,
    sql`select ${SECRET}::text::integer`,
    sql`do $$ begin raise exception 'no' using detail = 'alice@private.example', hint = 'alice@private.example'; end $$`,
  ];
  for (const statement of statements) {
    const error = await statement.execute(db).then(
      () => assert.fail('succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Error);
    for (const logged of [error, new Error('wrapped', { cause: error }), new AggregateError([error], 'several')]) {
      const line = logError(logged);
      assert.ok(!line.includes(SECRET), line);
      assert.match(line, /"stack":/);
    }
    // What helps to find the fault stays.
    assert.match(logError(error), new RegExp(`"code":"${String(Reflect.get(error, 'code'))}"`));
  }
});

test('[OPS-32] the log shows other errors with their causes', () => {
  const line = logError(new Error('outer', { cause: new Error('inner "quoted"') }));
  assert.match(line, /outer/);
  assert.match(line, /inner \\"quoted\\"/);
});
