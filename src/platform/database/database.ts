import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, PostgresDialect, sql, Transaction } from 'kysely';
import type { IsolationLevel } from 'kysely';
import { Pool, types } from 'pg';
import type { PoolConfig } from 'pg';
import type { Log } from '#src/platform/process/log.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import { checkFence } from './fence.ts';
import { isStalePlan, prepareStatements, PreparedStatementNames } from './prepared-statements.ts';

/**
 * A connection pool or one transaction on it. Each store declares its own tables with
 * `db.$extendTables<…>()`. int8 is read as bigint, timestamptz as Date, bytea as Buffer.
 */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- stores declare the tables
export type Db = Kysely<Record<never, never>>;

export interface DatabaseOptions {
  /** The embedded server's connection, or `{connectionString}` of an external PostgreSQL. */
  readonly connection: PoolConfig;
  readonly log: Log;
  /** Maximum connections; default 16. */
  readonly poolSize?: number | undefined;
  /** Time limit of one statement in ms; default 15,000. */
  readonly statementTimeoutMs?: number | undefined;
  /** Maximum wait for a lock in ms; default 5,000. */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * How long a transaction may be idle before the server ends it, in ms; default 30,000. Below the lock timeout,
   * those who wait for the locks of a hung process get them in time.
   */
  readonly idleInTransactionMs?: number | undefined;
  readonly telemetry?: Pick<Telemetry, 'traceStatements'>;
}

export interface Database {
  readonly db: Db;
  /** For libraries that send their own SQL. */
  readonly pool: Pool;
  /** Whether the database responds within `timeoutMs` (default 1,000). Never throws. */
  ping(timeoutMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a pool. It connects on demand and reconnects after the server was unreachable. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    application_name: 'crypto-market',
    max: options.poolSize ?? 16,
    idleTimeoutMillis: 60_000,
    // Also bounds the wait for a free connection of the pool.
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // `pipeline` sends statements without waiting for earlier results.
    pipeline: true,
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 30_000,
    types: { getTypeParser: getTypeParser },
    ...options.connection,
  });
  const warn = (error: Error): void => options.log.warn({ reason: error.message }, 'a database connection was lost');
  // The pool reports errors of idle connections only. A connection in use emits 'error' itself,
  // which ends the process if nothing listens; its query is rejected anyway.
  pool.on('error', warn);
  const names = new PreparedStatementNames();
  pool.on('connect', (client) => {
    client.on('error', () => {});
    prepareStatements(client, names);
    options.telemetry?.traceStatements(client);
  });
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    ping: (timeoutMs = 1_000) => ping(db, timeoutMs),
    close: () => db.destroy(),
  };
}

const int8 = 20;
const int8Array = 1016;

const getTypeParser = (oid: number, format?: 'text' | 'binary'): unknown => {
  if (format !== 'binary' && oid === int8) return BigInt;
  if (format !== 'binary' && oid === int8Array) return toBigInts;
  return types.getTypeParser(oid, format);
};

/** Parses a one-dimensional array. node-postgres returns int8 elements as text. */
function toBigInts(text: string): (bigint | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : BigInt(element)));
}

async function ping(db: Db, timeoutMs: number): Promise<boolean> {
  const reply = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const timer = new AbortController();
  const timeout = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([reply, timeout]);
  } finally {
    timer.abort();
  }
}

export interface TransactOptions {
  /** Default: read committed. */
  readonly isolationLevel?: IsolationLevel | undefined;
  /** Maximum attempts; default 6. */
  readonly attempts?: number | undefined;
}

/** Thrown by the work of a transaction that must start again, since what it read has changed. */
export class ChangedMeanwhileError extends Error {}

/** Callbacks of each transaction, called after its commit. */
const afterCommitCallbacks = new WeakMap<Db, (() => void)[]>();

/**
 * Calls `run` after the transaction has committed. The call is lost if the process dies first, so
 * nothing may depend on it. Works only for transactions of `transact`.
 */
export function runAfterCommit(tx: Db, run: () => void): void {
  afterCommitCallbacks.get(tx)?.push(run);
}

/**
 * Runs `work` in a transaction and retries it after a serialization failure (40001), a deadlock
 * (40P01), a stale plan, a `ChangedMeanwhileError`, or when the server ended the idle transaction of a
 * process that hung. So `work` must change nothing but the database. Within a transaction, joins it;
 * then the outer call retries.
 * @throws errors of `work`, and the last conflict after the maximum attempts
 */
export async function transact<T>(db: Db, work: (trx: Db) => Promise<T>, options: TransactOptions = {}): Promise<T> {
  if (db.isTransaction) return work(db);
  const attempts = options.attempts ?? 6;
  for (let attempt = 1; ; attempt++) {
    // After a lost connection the rollback fails too; its error would hide the first one.
    let thrown: { readonly error: unknown } | null = null;
    const after: (() => void)[] = [];
    let result: T;
    try {
      const builder = db.transaction();
      result = await (
        options.isolationLevel === undefined ? builder : builder.setIsolationLevel(options.isolationLevel)
      ).execute(async (trx) => {
        afterCommitCallbacks.set(trx, after);
        try {
          await checkFence(trx);
          return await work(trx);
        } catch (error) {
          thrown = { error };
          throw error;
        }
      });
    } catch (caught) {
      const error = selectFirstError(thrown, caught);
      if (attempt >= attempts || !isConflict(error)) throw error;
      // Full jitter, so that the same transactions do not conflict again.
      await sleep(randomInt(10 * 2 ** attempt));
      continue;
    }
    for (const run of after) run();
    return result;
  }
}

/**
 * Sends several statements of a transaction without waiting for each result. PostgreSQL runs them in
 * the order of sending, and each sees the changes of earlier ones.
 *
 * @param start sends the statements and returns their promises
 * @throws the first error in that order, after all promises are settled
 */
export async function pipeline<const T extends readonly Promise<unknown>[]>(
  tx: Db,
  start: (tx: Db) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  if (!tx.isTransaction) throw new Error('requires a transaction');
  const executor = tx.getExecutor();
  return executor.provideConnection(async (connection) => {
    // Kysely's own executor sends a statement only after the result of the previous one.
    const unserialized = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
    const pipelined: Db = new Transaction({ config: { dialect }, dialect, driver, executor: unserialized });
    const after = afterCommitCallbacks.get(tx);
    if (after) afterCommitCallbacks.set(pipelined, after);
    const started = start(pipelined);
    await Promise.allSettled(started);
    return Promise.all(started);
  });
}

/** A required argument that a running transaction does not use. */
const driver = new DummyDriver();
const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('a transaction cannot open another connection')),
});

/** TypeScript's control-flow analysis ignores that a callback assigned `thrown`. */
function selectFirstError(thrown: { readonly error: unknown } | null, caught: unknown): unknown {
  return thrown === null ? caught : thrown.error;
}

function isConflict(error: unknown): boolean {
  if (error instanceof ChangedMeanwhileError || isStalePlan(error) || isUnsent(error)) return true;
  return hasCode(error, '40001') || hasCode(error, '40P01');
}

/** Whether the server had ended the connection before the statement was sent: the transaction is not committed. */
const isUnsent = (error: unknown): boolean =>
  hasCode(error, '25P03') || (error instanceof Error && UNSENT_MESSAGE.test(error.message));
const UNSENT_MESSAGE = /^Client has encountered a connection error and is not queryable/;

/**
 * Codes of a server that shuts down, starts, was killed, lacks memory or connections, or is a
 * standby, of a transaction that was idle or waited for a lock for too long, and of an unreachable socket.
 */
const UNAVAILABLE_CODES = /^(?:57P0[123]|08\d{3}|53[023]00|25006|25P03|55P03|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/;
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the database was unreachable, too busy, or the connection was lost. The work may have been committed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && typeof error.code === 'string' && UNAVAILABLE_CODES.test(error.code)) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  );
}

/** Whether the disk of the database is full. The statement changed nothing. */
export function isDiskFullError(error: unknown): boolean {
  return hasCode(error, '53100');
}

/** Whether the statement violated a unique constraint or index (of this name, if given). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23505', constraint);
}

/** Whether the statement violated a check constraint (of this name, if given). */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23514', constraint);
}

/** Whether the statement violated a foreign key (of this name, if given). */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23503', constraint);
}

/** Whether the statement violated an exclusion constraint (of this name, if given). */
export function isExclusionViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23P01', constraint);
}

function hasCode(error: unknown, code: string, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== code) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}
