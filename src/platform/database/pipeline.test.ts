import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { compileOnce } from './compile-once.ts';
import { commitWith, runAfterCommit, pipeline, isUniqueViolation, transact } from './database.ts';
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
/** Its plan is stale once the table has another column. */
const insertAndReturn = compileOnce(
  (_db, { n }: { readonly n: number }) => sql`insert into notes values (${n}) returning *`,
);
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
  // The promise of a later statement may come first; its error is only a consequence.
  const reordered = transact(db, (tx) =>
    pipeline(tx, (free) => {
      const cause = insert(free, 7);
      return [insert(free, 2), cause];
    }),
  );
  await assert.rejects(reordered, (error) => isUniqueViolation(error, 'notes_pkey'));
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

test('parallel transactions are isolated', async () => {
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

test('a commit is sent with the last statements, whose results are returned', async () => {
  await clear();
  const calls: string[] = [];
  const result = await transact(db, async (tx) => {
    runAfterCommit(tx, () => calls.push('committed'));
    await insert(tx, 1);
    return commitWith(insert(tx, 2).then(() => 'inserted'));
  });
  assert.deepEqual([result, await count(db), calls], ['inserted', 2, ['committed']]);
  // Within another transaction only the outer one commits.
  const joined = transact(db, async (tx) => {
    assert.equal(await transact(tx, async (same) => commitWith(count(same))), 2);
    throw new Error('given up');
  });
  await assert.rejects(joined, /given up/);
});

test('nothing is committed when one of the last statements fails', async () => {
  await clear();
  const calls: string[] = [];
  const failing = transact(db, async (tx) => {
    runAfterCommit(tx, () => calls.push('committed'));
    await insert(tx, 1);
    return commitWith(Promise.all([insert(tx, 2), insert(tx, 1), insert(tx, 3)]));
  });
  await assert.rejects(failing, (error) => isUniqueViolation(error, 'notes_pkey'));
  assert.deepEqual([await count(db), calls], [0, []]);
});

test('a conflict in the last statements repeats the transaction', async () => {
  await clear();
  await insert(db, 1);
  let attempts = 0;
  const options = { isolationLevel: 'serializable' } as const;
  await transact(
    db,
    async (tx) => {
      attempts += 1;
      const known = await count(tx);
      // A transaction that conflicts with the first attempt.
      if (attempts === 1) await transact(db, async (other) => insert(other, 10 + (await count(other))), options);
      return commitWith(insert(tx, 20 + known));
    },
    options,
  );
  assert.deepEqual([attempts, await count(db)], [2, 3]);
});

test('a stale plan in the last statements repeats the whole transaction', async () => {
  await clear();
  await transact(db, async (tx) => commitWith(insertAndReturn(tx, { n: 1 })));
  await sql`alter table notes add column comment text`.execute(db);
  let attempts = 0;
  await transact(db, async (tx) => {
    attempts += 1;
    await insert(tx, 5);
    return commitWith(insertAndReturn(tx, { n: 6 }));
  });
  await sql`alter table notes drop column comment`.execute(db);
  assert.deepEqual([attempts, await count(db)], [2, 3]);
});

test('a statement after the end of its transaction is refused', async () => {
  await clear();
  let late: Db | null = null;
  await transact(db, async (tx) => {
    late = tx;
    await insert(tx, 1);
  });
  await assert.rejects(insert(late ?? assert.fail(), 2), /the transaction has ended/);
  assert.equal(await count(db), 1);
});
