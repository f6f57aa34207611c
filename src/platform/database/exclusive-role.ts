import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import type { Log } from '../log.ts';

/**
 * A role that one process at a time has, of all that share a database: an advisory lock on a connection of its own. Who
 * loses the connection loses the role, and PostgreSQL gives it to the next who asks.
 */
export class ExclusiveRole {
  readonly #options: { readonly connection: ClientConfig; readonly key: number; readonly log: Log };
  #client: Client | null = null;

  /** @param options.key one integer for each role; a process asks with the same. */
  constructor(options: { readonly connection: ClientConfig; readonly key: number; readonly log: Log }) {
    this.#options = options;
  }

  /** Whether this process has the role, or got it now. False also when the database is away. */
  async take(): Promise<boolean> {
    const { connection, key, log } = this.#options;
    if (this.#client !== null) return this.#isAlive(this.#client);
    const client = new Client({
      ...connection,
      application_name: 'crypto-market role',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    // Also what a connection that dies in use says; unheard it would end the process.
    client.on('error', (error) => {
      log.warn({ reason: error.message }, 'the connection that held a role was lost');
      if (this.#client === client) this.#client = null;
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [key]);
      if (rows[0]?.taken === true) {
        this.#client = client;
        return true;
      }
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'a role could not be asked for');
    }
    await client.end().catch(() => {});
    return false;
  }

  async #isAlive(client: Client): Promise<boolean> {
    try {
      await client.query('select 1');
      return this.#client === client;
    } catch {
      await this.release();
      return false;
    }
  }

  /** Gives the role up by closing its connection. */
  async release(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }
}
