/**
 * Writes to one server until it is killed, as a shop beside an isolated primary would. Prints a line for each
 * acknowledged write: when it began. Argument: the URL of the server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, transact } from '#src/platform/database/database.ts';
import { readDatabaseUrl } from '#src/platform/database/database-url.ts';
import { openLog } from '#src/platform/process/log.ts';

const PAUSE_MS = 50;
/** Shorter than the cluster needs to stop an isolated primary, so that waiting for a standby is cancelled. */
const statementTimeoutMs = 1_000;

const [, , url = ''] = process.argv;
const { db } = openDatabase({
  connection: readDatabaseUrl(url),
  log: openLog('silent'),
  statementTimeoutMs,
  poolSize: 1,
});
for (;;) {
  const beganMs = Date.now();
  await transact(db, async (tx) => {
    await sql`insert into isolated_writes (began_ms) values (${beganMs})`.execute(tx);
  }).then(
    () => process.stdout.write(`${beganMs}\n`),
    () => {},
  );
  await sleep(PAUSE_MS);
}
