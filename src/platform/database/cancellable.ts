import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from './database.ts';

/**
 * Runs a statement that PostgreSQL stops when the signal aborts. Without a signal it runs to its end.
 * @throws error 57014 of PostgreSQL if it was stopped, the signal's reason if it was not started
 */
export async function executeCancellable<Row>(
  db: Db,
  statement: RawBuilder<Row>,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  if (signal === undefined) return (await statement.execute(db)).rows;
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
    let cancelling: Promise<unknown> = Promise.resolve();
    const cancel = (): void => {
      // Fails if the database is unreachable: then the statement fails too.
      cancelling = sql`select pg_cancel_backend(${rows[0]?.pid}::integer)`.execute(db).catch(() => {});
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      return (await statement.execute(connection)).rows;
    } finally {
      signal.removeEventListener('abort', cancel);
      // The connection is not given back before: the next statement on it would be stopped.
      await cancelling;
    }
  });
}
