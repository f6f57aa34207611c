import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from './database.ts';

/**
 * Runs statements on a connection, or in a transaction, of which PostgreSQL stops the running one when the signal
 * aborts. Without a signal they run to their end.
 * @throws error 57014 of PostgreSQL if it was stopped, the signal's reason if nothing was started
 */
export async function runCancellable<T>(
  db: Db,
  connection: Db,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return run();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  let cancelling: Promise<unknown> = Promise.resolve();
  const cancel = (): void => {
    // Fails if the database is unreachable: then the statement fails too.
    cancelling = sql`select pg_cancel_backend(${rows[0]?.pid}::integer)`.execute(db).catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return await run();
  } finally {
    signal.removeEventListener('abort', cancel);
    // The connection is not given back before: the next statement on it would be stopped.
    await cancelling;
  }
}

/** Runs one statement, as `runCancellable` does. */
export async function executeCancellable<Row>(
  db: Db,
  statement: RawBuilder<Row>,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  if (signal === undefined) return (await statement.execute(db)).rows;
  return db
    .connection()
    .execute((connection) =>
      runCancellable(db, connection, signal, async () => (await statement.execute(connection)).rows),
    );
}
