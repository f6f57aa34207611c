import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { sendBoundedRequest, UnreachableError } from '../bounded-request.ts';
import type { BoundedResponse, BoundedRequest } from '../bounded-request.ts';
import { ChainSourceError } from '../chain-source.ts';

export const WHO = 'the Esplora server';

export interface EsploraClientOptions {
  /** Without trailing slash. */
  readonly url: string;
  readonly timeoutMs?: number;
  /** Waits between retries; for tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

const TIMEOUT_MS = 20_000;
const SMALL_BYTES = 1_000_000;
/** Maximum concurrent requests; public servers are shared. */
const MAX_CONCURRENT = 4;
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** Longer back-offs requested by the server are honored; until then calls fail immediately. */
const MAX_BACKOFF_MS = 5_000;
const MAX_RATE_LIMIT_MS = 600_000;

/** Client of an Esplora server with limited concurrency that backs off on request or errors. */
export class EsploraClient {
  readonly #options: EsploraClientOptions;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #restUntil = 0;
  /** Time of the server, and the monotonic local time when it was read. */
  #dated: { readonly ms: number; readonly at: number } | null = null;

  constructor(options: EsploraClientOptions) {
    this.#options = options;
  }

  /** The server's clock to the second; null if not reported yet. */
  getServerTime(): Date | null {
    return this.#dated && new Date(this.#dated.ms + performance.now() - this.#dated.at);
  }

  /**
   * Null if not found.
   * @throws ChainSourceError
   */
  async readBytes(path: string, maxBytes: number): Promise<Buffer | null> {
    const { status, body } = await this.#sendWithRetries({ method: 'GET', path, maxBytes });
    if (status === 404) return null;
    if (status !== 200) throw new ChainSourceError(`${WHO} returned status ${status}`);
    return body;
  }

  async readText(path: string): Promise<string | null> {
    const body = await this.readBytes(path, SMALL_BYTES);
    return body === null ? null : body.toString('utf8').trim();
  }

  async readJson<T>(path: string, shape: z.ZodType<T>, maxBytes = SMALL_BYTES): Promise<T | null> {
    const body = await this.readBytes(path, maxBytes);
    if (body === null) return null;
    const parsed = shape.safeParse(parseJson(body));
    if (!parsed.success) throw new ChainSourceError(`${WHO} returned an invalid response`);
    return parsed.data;
  }

  /** @throws ChainSourceError with the server's message */
  async post(path: string, body: string): Promise<string> {
    const response = await this.#sendWithRetries({ method: 'POST', path, body, maxBytes: SMALL_BYTES });
    const text = response.body.toString('utf8').trim();
    if (response.status !== 200) throw new ChainSourceError(`${WHO} rejected the transaction: ${text.slice(0, 300)}`);
    return text;
  }

  async #sendWithRetries(request: EsploraRequest): Promise<BoundedResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const resting = this.#restUntil - performance.now();
      if (resting > MAX_BACKOFF_MS) {
        throw new ChainSourceError(
          `${WHO} limits requests: the next one is possible in ${Math.ceil(resting / 1000)} s`,
        );
      }
      if (resting > 0) await this.#pause(resting);
      const response = await this.#serialize(request).catch((error: unknown) => {
        if (!(error instanceof UnreachableError) || attempt === MAX_ATTEMPTS) throw error;
        return null;
      });
      if (response !== null) {
        const isBusy = response.status === 429 || response.status >= 500;
        if (!isBusy) return response;
        this.#storeBackOff(response);
        if (attempt === MAX_ATTEMPTS) throw new ChainSourceError(`${WHO} returned status ${response.status}`);
      }
      // Random jitter of up to half, so that shops do not retry together.
      const most = FIRST_PAUSE_MS * 2 ** attempt;
      await this.#pause(randomInt(most / 2, most));
    }
  }

  /** Stores the requested back-off. */
  #storeBackOff({ status, headers }: BoundedResponse): void {
    const given = headers.get('retry-after');
    if (given === null || (status !== 429 && status !== 503)) return;
    const ms = /^\d{1,6}$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now();
    if (ms > 0) this.#restUntil = performance.now() + Math.min(ms, MAX_RATE_LIMIT_MS);
  }

  async #serialize({ method, path, body, maxBytes }: EsploraRequest): Promise<BoundedResponse> {
    if (this.#underWay === MAX_CONCURRENT) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay += 1;
    try {
      const { url, timeoutMs = TIMEOUT_MS } = this.#options;
      const response = await sendBoundedRequest(WHO, {
        url: `${url}${path}`,
        method,
        timeoutMs,
        maxBytes,
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/plain' } }),
      });
      const ms = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(ms)) this.#dated = { ms, at: performance.now() };
      return response;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }

  #pause(ms: number): Promise<unknown> {
    return (this.#options.pause ?? sleep)(ms);
  }
}

interface EsploraRequest extends Pick<BoundedRequest, 'method' | 'body' | 'maxBytes'> {
  readonly path: string;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
