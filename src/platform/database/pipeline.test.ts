import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { runAfterCommit, pipeline, isUniqueViolation, transact } from './database.ts';
import type { Db } from './database.ts';

let db: Db;
before(async () => {
  ({ db } = await createTestDatabase());
  await sql`create table notes (n integer primary key)`.execute(db);
});

const insert = (tx: Db, n: number) => sql`insert into notes values (${n})`.execute(tx);
async function count(tx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from notes`.execute(tx);
  return rows[0]?.n ?? -1;
}
const clear = (): Promise<unknown> => sql`truncate notes`.execute(db);

test('pipelined statements run in order and see earlier ones', async () => {
  await clear();
  for (let round = 0; round < 20; round += 1) {
    await transact(db, async (tx) => {
      const start = await count(tx);
      const runNested = async (free: Db): Promise<number> => {
        const [, within] = await pipeline(free, (freer) => [insert(freer, 3 * round), count(freer)]);
        // Sent after the result, so behind all pipelined statements.
        return within * 1000 + (await count(free));
      };
      const [first, , second, third] = await pipeline(tx, (free) => [
        runNested(free),
        insert(free, 3 * round + 1),
        count(free),
        insert(free, 3 * round + 2),
      ]);
      assert.deepEqual([first, second], [(start + 1) * 1000 + start + 3, start + 2]);
      assert.equal(third.rows.length, 0);
    });
  }
  assert.equal(await count(db), 60);
});

test('throws the first error after all statements and rolls back', async () => {
  await clear();
  await insert(db, 7);
  const calls: string[] = [];
  const failing = transact(db, async (tx) => {
    runAfterCommit(tx, () => calls.push('committed'));
    await pipeline(tx, (free) => {
      runAfterCommit(free, () => calls.push('pipelined'));
      return [insert(free, 1), insert(free, 7), insert(free, 2)];
    });
  });
  await assert.rejects(failing, (error) => isUniqueViolation(error, 'notes_pkey'));
  assert.deepEqual([await count(db), calls], [1, []]);
  await transact(db, (tx) =>
    pipeline(tx, (free) => {
      runAfterCommit(free, () => calls.push('pipelined'));
      return [insert(free, 8)];
    }),
  );
  assert.deepEqual([await count(db), calls], [2, ['pipelined']]);
  await assert.rejects(
    pipeline(db, (free) => [count(free)]),
    /requires a transaction/,
  );
});

test('parallel transactions are isolated with a pipelined begin', async () => {
  await clear();
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const work = transact(db, async (tx) => {
        await pipeline(tx, (free) => [insert(free, n), count(free)]);
        if (n % 3 === 0) throw new Error('given up');
      });
      await (n % 3 === 0 ? assert.rejects(work, /given up/) : work);
    }),
  );
  assert.equal(await count(db), 40);
});
