import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, DummyDriver, Kysely, PostgresDialect, sql, Transaction } from 'kysely';
import type { DatabaseConnection as KyselyConnection, IsolationLevel } from 'kysely';
import { types } from 'pg';
import type { Pool } from 'pg';
import type { Log } from '#src/platform/process/log.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import type { DatabaseConnection } from './database-url.ts';
import { FirstErrorDialect } from './driver/dialect.ts';
import { isStalePlan, nameStatements } from './driver/named-statements.ts';
import { checkFence } from './fence.ts';
import { openPool } from './pool.ts';

/**
 * A connection pool or one transaction on it. Each store declares its own tables with
 * `db.$extendTables<…>()`. int8 is read as bigint, timestamptz as Date, bytea as Buffer.
 */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- stores declare the tables
export type Db = Kysely<Record<never, never>>;

export interface DatabaseOptions {
  /** The embedded server's connection, or that of DATABASE_URL. */
  readonly connection: DatabaseConnection;
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
  /** How long a query waits for a connection; default 5,000. */
  readonly connectionWaitMs?: number | undefined;
  readonly telemetry?: Pick<Telemetry, 'traceStatements'>;
  /** Whether statements of `compileOnce` are prepared; default true. See `driver/README.md`. */
  readonly hasPreparedStatements?: boolean | undefined;
}

export interface Database {
  readonly db: Db;
  /** For libraries that send their own SQL. */
  readonly pool: Pool;
  /** Whether the database responds within `timeoutMs` (default 1,000). Never throws. */
  ping(timeoutMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a pool. It connects on demand and reconnects after the server was unreachable, or another one is the primary. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool({
    application_name: 'crypto-market',
    max: options.poolSize ?? 16,
    idleTimeoutMillis: 60_000,
    // Also bounds the wait for a free connection of the pool.
    connectionTimeoutMillis: options.connectionWaitMs ?? 5_000,
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
  pool.on('connect', (client) => {
    client.on('error', () => {});
    options.telemetry?.traceStatements(client);
  });
  const { hasPreparedStatements = true } = options;
  const db: Db = new Kysely({
    dialect: new FirstErrorDialect({ pool: hasPreparedStatements ? nameStatements(pool) : pool }),
  });
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

/** The end of a transaction whose last statements were sent. */
export class LastStatements<T> {
  readonly result: Promise<T>;

  constructor(result: Promise<T>) {
    this.result = result;
  }
}

/**
 * Returned by the work of `transact`, sends the commit without waiting for these statements, which were sent last.
 * If one fails, nothing is committed. Their results must not decide whether to commit.
 */
export const commitWith = <T>(result: Promise<T>): LastStatements<T> => new LastStatements(result);

/**
 * Runs `work` in a transaction and retries it after a serialization failure (40001), a deadlock
 * (40P01), a stale plan, a `ChangedMeanwhileError`, or when the server ended the idle transaction of a
 * process that hung; once if the connection was lost before the commit was sent. So `work` must change nothing
 * but the database. Within a transaction, joins it; then the outer call retries.
 * @throws errors of `work`, and the last conflict after the maximum attempts
 */
export async function transact<T>(
  db: Db,
  work: (trx: Db) => Promise<T | LastStatements<T>>,
  options: TransactOptions = {},
): Promise<T> {
  if (db.isTransaction) return takeResult(await work(db));
  const attempts = options.attempts ?? 6;
  let wasLost = false;
  for (let attempt = 1; ; attempt++) {
    const state = { after: [], isCommitSent: false };
    try {
      return await runTransaction(db, options.isolationLevel, work, state);
    } catch (error) {
      // Once the commit was sent, it may have succeeded.
      const isLost: boolean = !state.isCommitSent && !wasLost && isConnectionLost(error);
      if (attempt >= attempts || !(isLost || isConflict(error))) throw error;
      wasLost ||= isLost;
      // Full jitter, so that the same transactions do not conflict again.
      await sleep(randomInt(10 * 2 ** attempt));
    }
  }
}

const takeResult = <T>(result: T | LastStatements<T>): T | Promise<T> =>
  result instanceof LastStatements ? result.result : result;

interface TransactionState {
  readonly after: (() => void)[];
  isCommitSent: boolean;
}

async function runTransaction<T>(
  db: Db,
  isolationLevel: IsolationLevel | undefined,
  work: (trx: Db) => Promise<T | LastStatements<T>>,
  state: TransactionState,
): Promise<T> {
  const executor = db.getExecutor();
  const result = await executor.provideConnection(async (connection) => {
    const send = (text: string) => connection.executeQuery<{ command?: string }>(CompiledQuery.raw(text));
    await send(isolationLevel === undefined ? 'begin' : `start transaction isolation level ${isolationLevel}`);
    const open: OpenTransaction = { connection, isEnded: false };
    const tx = createTransaction(db, open);
    afterCommitCallbacks.set(tx, state.after);
    try {
      await checkFence(tx);
      const worked = await work(tx);
      open.isEnded = true;
      state.isCommitSent = true;
      const committed = send('commit');
      const [last, commit] = await Promise.allSettled([takeResult(worked), committed]);
      if (last.status === 'rejected') throw last.reason;
      if (commit.status === 'rejected') throw commit.reason;
      if (commit.value.rows[0]?.command === 'ROLLBACK') throw new Error('a statement of the transaction has failed');
      return last.value;
    } catch (error) {
      open.isEnded = true;
      // Fails only if the connection is lost. Then the server rolls back, and the first error is thrown, which is the cause.
      if (!state.isCommitSent) await send('rollback').catch(() => {});
      throw error;
    }
  });
  for (const run of state.after) run();
  return result;
}

interface OpenTransaction {
  readonly connection: KyselyConnection;
  isEnded: boolean;
}

/** Its statements are sent at once. Kysely's own transactions send one after the result of the previous one. */
function createTransaction(db: Db, open: OpenTransaction): Db {
  const executor = db.getExecutor().withConnectionProvider({
    provideConnection: (consumer) =>
      open.isEnded ? Promise.reject(new Error('the transaction has ended')) : consumer(open.connection),
  });
  return new Transaction({ config: { dialect }, dialect, driver, executor });
}

/**
 * Sends several statements of a transaction without waiting for each result. PostgreSQL runs them in
 * the order of sending, and each sees the changes of earlier ones.
 *
 * @param start sends the statements and returns their promises
 * @throws the first error in that order that is not the consequence of another one, after all promises are settled
 */
export async function pipeline<const T extends readonly Promise<unknown>[]>(
  tx: Db,
  start: (tx: Db) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  if (!tx.isTransaction) throw new Error('requires a transaction');
  const run = async (pipelined: Db) => {
    const started = start(pipelined);
    const settled = await Promise.allSettled(started);
    // After a failed statement, PostgreSQL refuses those that follow. Their promises may come first.
    const cause = settled.find((one) => one.status === 'rejected' && !hasCode(one.reason, IN_FAILED_TRANSACTION));
    if (cause?.status === 'rejected') throw cause.reason;
    return Promise.all(started);
  };
  if (afterCommitCallbacks.has(tx)) return run(tx);
  return tx.getExecutor().provideConnection((connection) => run(createTransaction(tx, { connection, isEnded: false })));
}

/** A required argument that a running transaction does not use. */
const driver = new DummyDriver();
const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('a transaction cannot open another connection')),
});

const IN_FAILED_TRANSACTION = '25P02';

function isConflict(error: unknown): boolean {
  if (error instanceof ChangedMeanwhileError || isStalePlan(error) || isUnsent(error)) return true;
  return hasCode(error, '40001') || hasCode(error, '40P01');
}

/** Whether the server had ended the connection before the statement was sent: the transaction is not committed. */
const isUnsent = (error: unknown): boolean =>
  hasCode(error, '25P03') || (error instanceof Error && UNSENT_MESSAGE.test(error.message));
const UNSENT_MESSAGE = /^Client has encountered a connection error and is not queryable/;

/** Codes and messages of a connection that ended, or is to a server that has become a standby. */
const LOST_CODES = /^(?:57P0[12]|08\d{3}|25006|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const LOST_MESSAGES =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout)/;

const isConnectionLost = (error: unknown): boolean => matches(error, LOST_CODES, LOST_MESSAGES);

/**
 * Other codes of a server that starts, lacks memory or connections, is not known by name, or does not exist, and of a
 * transaction that was idle or waited for a lock for too long; messages of a process that has closed its connections.
 */
const UNAVAILABLE_CODES = /^(?:57P0[35]|53[023]00|25P03|55P03|ECONNREFUSED|ECONNABORTED|ENOENT|ENOTFOUND|EAI_AGAIN)$/;
const UNAVAILABLE_MESSAGES =
  /^(?:timeout exceeded when trying to connect|timeout expired|Cannot use a pool after|driver has already been destroyed)/;

/** Whether the database was unreachable, too busy, or the connection was lost. The work may have been committed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || matches(error, UNAVAILABLE_CODES, UNAVAILABLE_MESSAGES);
}

/** Whether a statement took too long, for instance behind many changes of the same row. Nothing of it was committed. */
export const isStatementTimeout = (error: unknown): boolean => hasCode(error, '57014');

function matches(error: unknown, codes: RegExp, messages: RegExp): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && typeof error.code === 'string' && codes.test(error.code)) || messages.test(error.message);
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
