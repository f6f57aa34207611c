/**
 * Prepares frequent statements, so that the database parses and plans each once per connection.
 */
import { Writable } from 'node:stream';
import type { PoolClient } from 'pg';
import { executePrepared } from './prepared-query.ts';
import type { KnownColumns } from './prepared-query.ts';

/** Returned for `begin` before its result arrives. Callers do not use it. */
const BEGIN_RESULT = Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
/** A statement is prepared at this use. */
const MIN_USES = 3;
/** Limits of what each connection stores. Long statements are rarely repeated. */
const MAX_NAMES = 128;
const MAX_STATEMENT_LENGTH = 4_000;
const MAX_COUNTED = 2_000;

/** In a statement whose best plan depends on its parameters, such as a search: it is never prepared. */
export const PLANNED_EACH_TIME = '/* planned each time */';

/** Names of prepared statements, shared by all connections of a process. */
export class PreparedStatementNames {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Name of a frequent statement, or null. Each call counts as a use. */
  findName(text: string): string | null {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_NAMES || text.length > MAX_STATEMENT_LENGTH) return null;
    if (text.includes(PLANNED_EACH_TIME)) return null;
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count < MIN_USES) {
      if (this.#counts.size >= MAX_COUNTED) this.#counts.clear();
      this.#counts.set(text, count);
      return null;
    }
    this.#counts.delete(text);
    const name = `shop_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}

/**
 * Whether a prepared statement is missing or no longer matches its tables, as after a migration by another process. It
 * changed nothing. In a transaction: close the connection and retry.
 */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.message.startsWith('cached plan'));
}

/** Returns a function that batches the writes of this event loop turn into one. */
function createCork(client: PoolClient): () => void {
  const stream: unknown =
    'connection' in client && typeof client.connection === 'object' && client.connection !== null
      ? Reflect.get(client.connection, 'stream')
      : null;
  if (!(stream instanceof Writable)) return () => {};
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

/**
 * Prepares the statements of a connection that have parameters and return a promise, as Kysely sends
 * them. `begin` is sent together with the next statement; if it fails, the connection is closed.
 */
export function prepareStatements(client: PoolClient, names: PreparedStatementNames): void {
  const send = client.query.bind(client);
  const cork = createCork(client);
  const known: KnownColumns = new Map();
  let isInTransaction = false;
  /**
   * Outside of a transaction, sends the statement again without its plan.
   * @param wasInTransaction when the statement was sent: its commit may have been sent meanwhile
   */
  const repeat = async (
    text: string,
    values: readonly unknown[],
    wasInTransaction: boolean,
    error: unknown,
  ): Promise<unknown> => {
    if (!isStalePlan(error)) throw error;
    try {
      if (wasInTransaction) throw error;
      return await send(text, [...values]);
    } finally {
      // The pool does not reuse a closed connection.
      void client.end();
    }
  };
  const queryNamed = (text: unknown, values: unknown, ...more: readonly unknown[]): unknown => {
    cork();
    if (text === 'begin') {
      isInTransaction = true;
      // Later statements must not run outside of the transaction.
      send(text).catch(() => void client.end());
      return BEGIN_RESULT;
    }
    if (text === 'commit' || text === 'rollback') isInTransaction = false;
    else if (typeof text === 'string' && text.startsWith('start transaction')) isInTransaction = true;
    const isPlain = typeof text === 'string' && Array.isArray(values) && more.length === 0;
    const name = isPlain ? names.findName(text) : null;
    if (!isPlain || name === null) return Reflect.apply(send, client, [text, values, ...more]);
    const wasInTransaction = isInTransaction;
    const sent = executePrepared(client, send, known, { name, text, values });
    return sent.catch((error: unknown) => repeat(text, values, wasInTransaction, error));
  };
  Object.assign(client, { query: queryNamed });
}
