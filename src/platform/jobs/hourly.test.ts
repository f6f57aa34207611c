import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLog, createTestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { HOURLY_JOB, startHourlyTasks } from './hourly.ts';
import { openJobs } from './jobs.ts';

const ending: (() => unknown)[] = [];
after(async () => {
  for (const end of ending) await end();
});

test('[OPS-26] an hourly task runs once for two processes, though another one fails', async () => {
  const { db, connection } = await createTestDatabase();
  const runs: string[] = [];
  const clock = { now: () => new Date('2026-03-01T12:34:00Z') };
  const tasks = {
    broken: () => (runs.push('broken'), Promise.reject(new Error('not today'))),
    sessions: async () => void runs.push('sessions'),
  };
  for (const process of ['first', 'second']) {
    const jobs = openJobs({ connection, queues: [HOURLY_JOB], log: silentLog, pollSeconds: 0.5 });
    await jobs.start();
    const stop = await startHourlyTasks({ db, clock, jobs, onError: () => assert.fail(process) }, tasks);
    ending.push(stop, () => jobs.stop());
  }
  await waitUntil(() => runs.includes('sessions') && runs.includes('broken'));
  const { rows } = await db.executeQuery<{ state: string }>(
    (await import('kysely')).CompiledQuery.raw(`select state from pgboss.job where name = '${HOURLY_JOB}'`),
  );
  assert.equal(rows.length, 2);
  assert.deepEqual(
    runs.filter((run) => run === 'sessions'),
    ['sessions'],
  );
});
