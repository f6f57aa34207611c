/** Clients whose recent passwords were all wrong, in this process. */

/** Wrong passwords in a row from which a client is suspect. People mistype some. */
const SUSPECT_FROM = 3;
const WINDOW_MS = 10 * 60_000;
const MAX_CLIENTS = 10_000;

export class RecentFailures {
  readonly #now: () => number;
  /** Oldest first. */
  readonly #clients = new Map<string, { readonly failures: number; readonly at: number }>();

  /** @param now monotonic time in ms; for tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A correct password clears the client. */
  record(client: string, isRight: boolean): void {
    const failures = this.#count(client) + 1;
    this.#clients.delete(client);
    if (isRight) return;
    this.#clients.set(client, { failures, at: this.#now() });
    const [oldest] = this.#clients.keys();
    if (oldest !== undefined && this.#clients.size > MAX_CLIENTS) this.#clients.delete(oldest);
  }

  isSuspect(client: string): boolean {
    return this.#count(client) >= SUSPECT_FROM;
  }

  #count(client: string): number {
    const known = this.#clients.get(client);
    return known !== undefined && known.at > this.#now() - WINDOW_MS ? known.failures : 0;
  }
}
