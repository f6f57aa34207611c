/** Calls to a shop that may be killed at any moment, and their results. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer, ApiRequest, TestShop } from './shop.ts';

/** Longer than any statement of the shop: a call without a response by then has ended. */
const RESPONSE_TIMEOUT_MS = 25_000;
const RETRY_FOR_MS = 150_000;
const PAUSE_MS = 60;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface EncounteredErrors {
  requests: number;
  /** Retries after a broken connection or a 5xx. */
  retries: number;
  cutOff: number;
  faults: number;
}

export class StressCalls {
  readonly counts: EncounteredErrors = { requests: 0, retries: 0, cutOff: 0, faults: 0 };
  /** Violations, one line each. */
  readonly findings: string[] = [];
  readonly #shop: TestShop;
  #failure: Error | null = null;

  constructor(shop: TestShop) {
    this.#shop = shop;
  }

  report(finding: string): void {
    this.findings.push(finding);
  }

  /** An error that makes continuing pointless: every further call throws it. */
  end(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }

  throwIfEnded(): void {
    if (this.#failure) throw this.#failure;
  }

  /** One attempt; null if it is unknown whether it took effect: no response, or a 5xx. */
  async callOnce(method: Method, path: string, request: ApiRequest = {}): Promise<ApiAnswer | null> {
    return this.#attempt(() => this.#shop.api(method, path, request));
  }

  /** Repeats an idempotent call until it gets a response. @throws when the shop does not restart */
  async callUntilAnswered(method: Method, path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    return this.#repeat(`${method} ${path}`, () => this.callOnce(method, path, request));
  }

  /** The devchain's Esplora response; null for 404. */
  async chain(path: string): Promise<unknown> {
    const answer = await this.#repeat(path, () =>
      this.#attempt(async () => {
        const response = await fetch(`${this.#shop.url}/dev/esplora${path}`);
        const body: unknown = response.ok ? await response.json() : await response.text();
        return { status: response.status, headers: response.headers, body };
      }),
    );
    return answer.status === 200 ? answer.body : null;
  }

  async #attempt(call: () => Promise<ApiAnswer>): Promise<ApiAnswer | null> {
    this.throwIfEnded();
    this.counts.requests += 1;
    const timeout = new AbortController();
    try {
      const late = sleep(RESPONSE_TIMEOUT_MS, null, { signal: timeout.signal }).catch(() => null);
      const answer = await Promise.race([call(), late]);
      if (answer === null) this.report('a request got no response within 25 s, and its connection was not closed');
      else if (answer.status < 500) return answer;
      else this.counts.faults += 1;
      return null;
    } catch {
      this.counts.cutOff += 1;
      return null;
    } finally {
      timeout.abort();
    }
  }

  async #repeat(what: string, attempt: () => Promise<ApiAnswer | null>): Promise<ApiAnswer> {
    for (const until = Date.now() + RETRY_FOR_MS; ; this.counts.retries += 1) {
      const answer = await attempt();
      if (answer) return answer;
      if (Date.now() > until) throw new Error(`${what} got no response for ${RETRY_FOR_MS / 1000} s`);
      await sleep(PAUSE_MS);
    }
  }
}
