/** Finds the primary among the servers of DATABASE_URL. */

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** The server refuses writes: it is a standby, or its settings make it read-only. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  /** As PostgreSQL reports a write on such a server. */
  readonly code = '25006';
}

/** How long a failed search is the answer for further connections. */
const FAILURE_CACHE_MS = 200;

export class ServerList {
  readonly addresses: readonly ServerAddress[];
  #primary: ServerAddress | null = null;
  #search: Promise<ServerAddress> | null = null;
  #failure: { readonly error: Error; readonly untilMs: number } | null = null;

  constructor(addresses: readonly ServerAddress[]) {
    this.addresses = addresses;
  }

  /**
   * The last known primary, else the first server that passes the check; all are checked at the same time. Parallel
   * calls share one search.
   * @param check connects within some seconds. Rejects if the server does not respond or refuses writes
   * @throws the error of a server that responds, else that of the first one
   */
  find(check: (address: ServerAddress) => Promise<void>): Promise<ServerAddress> {
    if (this.#primary !== null) return Promise.resolve(this.#primary);
    if (this.#failure !== null && performance.now() < this.#failure.untilMs) return Promise.reject(this.#failure.error);
    this.#search ??= this.#searchAll(check).finally(() => (this.#search = null));
    return this.#search;
  }

  async #searchAll(check: (address: ServerAddress) => Promise<void>): Promise<ServerAddress> {
    const checks = this.addresses.map(async (address) => {
      await check(address);
      return address;
    });
    try {
      this.#primary = await Promise.any(checks);
      return this.#primary;
    } catch (error) {
      const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      const chosen = errors.find((one) => one instanceof ReadOnlyServerError) ?? errors[0];
      if (!(chosen instanceof Error)) throw error;
      this.#failure = { error: chosen, untilMs: performance.now() + FAILURE_CACHE_MS };
      throw chosen;
    }
  }

  /** Called after a failure of this server, so that the next connection searches again. */
  forget({ host, port }: ServerAddress): void {
    if (this.#primary?.host === host && this.#primary.port === port) this.#primary = null;
  }
}
