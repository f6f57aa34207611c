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
  #isHeld = false;

  /** @param options.key one integer for each role; a process asks with the same. */
  constructor(options: { readonly connection: ClientConfig; readonly key: number; readonly log: Log }) {
    this.#options = options;
  }

  /** Whether this process has the role, or got it now. False also when the database is away. */
  async take(): Promise<boolean> {
    try {
      const client = this.#client ?? (await this.#connect());
      if (this.#isHeld) await client.query('select 1');
      else {
        const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
          this.#options.key,
        ]);
        this.#isHeld = rows[0]?.taken === true;
      }
      return this.#isHeld && this.#client === client;
    } catch (error) {
      this.#options.log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'a role was not to be had',
      );
      await this.release();
      return false;
    }
  }

  async #connect(): Promise<Client> {
    const limits = { connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true };
    const client = new Client({ ...this.#options.connection, ...limits, application_name: 'crypto-market role' });
    this.#client = client;
    // A connection that dies in use says so itself; unheard it would end the process.
    client.on('error', () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#isHeld = false;
    });
    await client.connect();
    return client;
  }

  /** Gives the role up by closing its connection. */
  async release(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#isHeld = false;
    await client?.end().catch(() => {});
  }
}
