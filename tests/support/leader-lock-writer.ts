/** A process that writes while it holds the leader lock. Arguments: the connection and a name. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, transact } from '#src/platform/database/database.ts';
import { LeaderLockLostError, runWithFence } from '#src/platform/database/fence.ts';
import { LeaderLock } from '#src/platform/database/leader-lock.ts';
import { openLog } from '#src/platform/process/log.ts';

const [, , connectionText = '{}', name = '', pauseText = '0'] = process.argv;
const read: unknown = JSON.parse(connectionText);
const connection = typeof read === 'object' && read !== null ? read : {};
const log = openLog('silent');
const { db } = openDatabase({ connection, log, poolSize: 2 });
const lease = new LeaderLock({ connection, role: 'test', log });

/** The pause between write and commit makes a stop there likely. */
async function write(): Promise<void> {
  await transact(db, async (tx) => {
    await sql`insert into lease_writes (writer) values (${name})`.execute(tx);
    await sleep(Number(pauseText));
  });
}

await lease.start();
for (;;) {
  const { fence } = lease;
  if (fence === null) await sleep(20);
  else {
    await runWithFence(fence, write).catch((error: unknown) => {
      const reason = error instanceof LeaderLockLostError ? 'lost' : 'failed';
      process.stdout.write(`${reason}\n`);
    });
    await sleep(20);
  }
}
