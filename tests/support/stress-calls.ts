/** Calls to a shop that may be killed at any moment, and their results. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';

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
  async callOnce(method: Method, path: string, request: ApiRequest = {}): Promise<ApiResponse | null> {
    return this.#attempt(() => this.#shop.api(method, path, request));
  }

  /** Repeats an idempotent call until it gets a response. @throws when the shop does not restart */
  async callUntilResponse(method: Method, path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    return this.#repeat(`${method} ${path}`, () => this.callOnce(method, path, request));
  }

  /** The devchain's Esplora response; null for 404. */
  async readChain(path: string): Promise<unknown> {
    const apiResponse = await this.#repeat(path, () =>
      this.#attempt(async () => {
        const response = await fetch(`${this.#shop.url}/dev/esplora${path}`);
        const body: unknown = response.ok ? await response.json() : await response.text();
        return { status: response.status, headers: response.headers, body };
      }),
    );
    return apiResponse.status === 200 ? apiResponse.body : null;
  }

  async #attempt(call: () => Promise<ApiResponse>): Promise<ApiResponse | null> {
    this.throwIfEnded();
    this.counts.requests += 1;
    const timeout = new AbortController();
    try {
      const late = sleep(RESPONSE_TIMEOUT_MS, null, { signal: timeout.signal }).catch(() => null);
      const response = await Promise.race([call(), late]);
      if (response === null) this.report('a request got no response within 25 s, and its connection was not closed');
      else if (response.status < 500) return response;
      else this.counts.faults += 1;
      return null;
    } catch {
      this.counts.cutOff += 1;
      return null;
    } finally {
      timeout.abort();
    }
  }

  async #repeat(what: string, attempt: () => Promise<ApiResponse | null>): Promise<ApiResponse> {
    for (const until = Date.now() + RETRY_FOR_MS; ; this.counts.retries += 1) {
      const response = await attempt();
      if (response) return response;
      if (Date.now() > until) throw new Error(`${what} got no response for ${RETRY_FOR_MS / 1000} s`);
      await sleep(PAUSE_MS);
    }
  }
}
