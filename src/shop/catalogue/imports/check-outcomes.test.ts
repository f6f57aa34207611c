/** How an import continues after its check ended without a result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';

test('[OPS-12] a check that reaches its size limit fails and is not repeated', async () => {
  const { db } = await createTestDatabase();
  let checks = 0;
  const message = 'The check needed more than 768 MB of memory, so it was stopped';
  const bench = await openImportBench(db, {
    check: async () => {
      checks += 1;
      return { outcome: 'refused', message };
    },
  });
  const failed = await bench.check('Handle\na\n');
  assert.deepEqual([failed.state, failed.message], ['failed', message]);
  await bench.imports.run({ import: failed.id });
  assert.equal(checks, 1);
});

test('[OPS-12] a check that is stopped with the shop does not count as an attempt', async () => {
  const { db } = await createTestDatabase();
  let isStopped = true;
  const message = 'The check took longer than 5 minutes, so it was stopped';
  const bench = await openImportBench(db, {
    check: async () => (isStopped ? { outcome: 'stopped' } : { outcome: 'refused', message }),
  });
  await assert.rejects(bench.check('Handle\na\n'), /stopped/);
  const { rows } = await sql<{ id: string }>`select id from catalogue_imports`.execute(db);
  const id = rows[0]?.id ?? '';
  for (let stop = 0; stop < 8; stop += 1) await assert.rejects(bench.imports.run({ import: id }), /stopped/);
  assert.equal((await bench.imports.find(id))?.state, 'checking');
  isStopped = false;
  await bench.imports.run({ import: id });
  assert.equal((await bench.imports.find(id))?.message, message);
});
