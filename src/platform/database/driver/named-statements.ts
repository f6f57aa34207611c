/** Prepared statements of node-postgres, by their names. */
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/** By the text of the statement. Shared by all connections of a process. */
const names = new Map<string, string>();
let namesGiven = 0;

function giveName(text: string): string {
  namesGiven += 1;
  const name = `shop_${namesGiven}`;
  names.set(text, name);
  return name;
}

/** Names a statement, so that each connection parses and plans it once. Returns its present name. Idempotent. */
export const nameStatement = (text: string): string => names.get(text) ?? giveName(text);

/** Gives a statement another name, unless that was done since it was executed under this one. */
export function renameStatement(text: string, name: string): void {
  if (names.get(text) === name) giveName(text);
}

/**
 * Whether a prepared statement is missing or no longer matches its tables, as after a migration by another process. It
 * changed nothing.
 */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.message.startsWith('cached plan'));
}

/** A client for Kysely, which knows texts and values only. */
class NamingClient implements PostgresPoolClient {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('a connection that pipelines has no cursors');
    const name = names.get(text);
    return name === undefined
      ? this.#client.query(text, [...values])
      : this.#client.query({ name, text, values: [...values] });
  }
}

/** The pool for Kysely, with statements executed by their names. */
export const nameStatements = (pool: Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => new NamingClient(await pool.connect()),
});
