import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, PostgresDialect, sql, Transaction } from 'kysely';
import type { IsolationLevel } from 'kysely';
import { Pool, types } from 'pg';
import type { PoolConfig } from 'pg';
import type { Log } from '#src/platform/process/log.ts';
import { checkFence } from './fence.ts';
import { isStalePlan, prepareStatements, PreparedStatementNames } from './prepared-statements.ts';

/**
 * A connection pool or one transaction on it; what the stores take. Each store names its own tables with
 * `db.withTables<…>()`. int8 arrives as bigint, timestamptz as Date, bytea as Buffer.
 */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no table is known here, and that is meant
export type Db = Kysely<Record<never, never>>;

export interface DatabaseOptions {
  /** The embedded server's connection, or `{connectionString}` of an external PostgreSQL. */
  readonly connection: PoolConfig;
  readonly log: Log;
  /** Connections at most; default 16. */
  readonly poolSize?: number | undefined;
  /** Limit of one statement in ms; default 15,000. */
  readonly statementTimeoutMs?: number | undefined;
  /** Limit of waiting for a lock in ms; default 5,000. */
  readonly lockTimeoutMs?: number | undefined;
  /** How long a transaction may send nothing before the server ends it, in ms; default 30,000. */
  readonly idleInTransactionMs?: number | undefined;
}

export interface Database {
  readonly db: Db;
  /** For libraries that bring their own SQL. */
  readonly pool: Pool;
  /** Whether the database answers within `timeoutMs` (default 1,000). Never throws. */
  ping(timeoutMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a pool; connections are made when they are needed, and again after the server was away. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    application_name: 'crypto-market',
    max: options.poolSize ?? 16,
    idleTimeoutMillis: 60_000,
    // Also bounds the wait for a free connection of the pool.
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // What is sent at once, by `atOnce`, does not wait for the answers before it.
    pipeline: true,
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 30_000,
    types: { getTypeParser: typeParser },
    ...options.connection,
  });
  const warn = (error: Error): void => options.log.warn({ reason: error.message }, 'a database connection was lost');
  // The pool speaks for idle connections only. One that is in use and dies emits 'error' itself, and without a listener
  // that ends the process; its query is rejected all the same.
  pool.on('error', warn);
  const names = new PreparedStatementNames();
  pool.on('connect', (client) => {
    client.on('error', () => {});
    prepareStatements(client, names);
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

const typeParser = (oid: number, format?: 'text' | 'binary'): unknown => {
  if (format !== 'binary' && oid === int8) return BigInt;
  if (format !== 'binary' && oid === int8Array) return toBigInts;
  return types.getTypeParser(oid, format);
};

/** An array of one dimension; node-postgres leaves its elements as text, because a number could not hold them. */
function toBigInts(text: string): (bigint | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : BigInt(element)));
}

async function ping(db: Db, timeoutMs: number): Promise<boolean> {
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const timer = new AbortController();
  const timeout = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    timer.abort();
  }
}

export interface TransactOptions {
  /** Default: the server's, read committed. */
  readonly isolationLevel?: IsolationLevel | undefined;
  /** Tries at most; default 6. */
  readonly attempts?: number | undefined;
}

/** By transaction: what is to be done once it is committed. */
const afterCommitCallbacks = new WeakMap<Db, (() => void)[]>();

/**
 * Has something done once a transaction is committed, and never when it is not. It is lost if the process dies in
 * between, so nothing may depend on it. Only `transact` heeds it.
 */
export function afterCommit(tx: Db, run: () => void): void {
  afterCommitCallbacks.get(tx)?.push(run);
}

/**
 * Runs `work` in one transaction and runs it again when PostgreSQL asks for that: after a serialization failure (40001),
 * a deadlock (40P01), or when a table has changed under a plan. `work` may therefore run several times and must touch nothing but the transaction. Within a
 * transaction of the caller's it simply takes part, and the caller retries.
 * @throws what `work` throws; the last conflict when the attempts are used up.
 */
export async function transact<T>(db: Db, work: (trx: Db) => Promise<T>, options: TransactOptions = {}): Promise<T> {
  if (db.isTransaction) return work(db);
  const attempts = options.attempts ?? 6;
  for (let attempt = 1; ; attempt++) {
    // When the connection died the roll-back fails too, and its error would hide the first one.
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
      const error = firstError(thrown, caught);
      if (attempt >= attempts || !isConflict(error)) throw error;
      // Full jitter: those who collided must not meet again.
      await sleep(randomInt(10 * 2 ** attempt));
      continue;
    }
    for (const run of after) run();
    return result;
  }
}

/**
 * Sends several statements of a transaction at once: they are done one after the other in the order in which `start`
 * sends them, each sees what those before it did, and all answers come together. One that needs the answer of another is
 * sent when that is there, behind all of these.
 *
 * @param start calls what sends them; their promises.
 * @throws the first error in the order of the promises, once all have been answered; those behind it fail by it.
 */
export async function pipeline<const T extends readonly Promise<unknown>[]>(
  tx: Db,
  start: (tx: Db) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  if (!tx.isTransaction) throw new Error('only a transaction has one connection');
  const executor = tx.getExecutor();
  return executor.provideConnection(async (connection) => {
    // Kysely's own lets a transaction send one statement after the answer of the other.
    const sending = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
    const free: Db = new Transaction({ config: { dialect }, dialect, driver, executor: sending });
    const after = afterCommitCallbacks.get(tx);
    if (after) afterCommitCallbacks.set(free, after);
    const started = start(free);
    await Promise.allSettled(started);
    return Promise.all(started);
  });
}

/** Of no use to a transaction that has begun. */
const driver = new DummyDriver();
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('this transaction has its connection')) });

/** The control-flow analysis does not see that a callback assigned `thrown`. */
function firstError(thrown: { readonly error: unknown } | null, caught: unknown): unknown {
  return thrown === null ? caught : thrown.error;
}

function isConflict(error: unknown): boolean {
  return hasCode(error, '40001') || hasCode(error, '40P01') || isStalePlan(error);
}

/**
 * Codes of a server that shuts down, starts up or was killed, has no memory or connection to spare, or is a standby, and
 * of a socket that nobody listens on.
 */
const UNAVAILABLE_CODES = /^(?:57P0[123]|08\d{3}|53[023]00|25006|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/;
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the database could not be reached, or went away meanwhile: what was asked may or may not have happened. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && typeof error.code === 'string' && UNAVAILABLE_CODES.test(error.code)) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  );
}

/** Whether the database has no room for what was to be written. Nothing of it happened. */
export function isDiskFullError(error: unknown): boolean {
  return hasCode(error, '53100');
}

/** Whether a unique constraint or index (of this name, if given) refused the statement. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23505', constraint);
}

/** Whether a check constraint (of this name, if given) refused the statement. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23514', constraint);
}

/** Whether a foreign key (of this name, if given) refused the statement. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23503', constraint);
}

function hasCode(error: unknown, code: string, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== code) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}
