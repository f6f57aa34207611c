import { readBounded } from '#src/platform/read-bounded.ts';

export interface FetchLimits {
  /** For the whole of it, in ms. */
  readonly timeoutMs: number;
  /** Of the body, decompressed. */
  readonly maxBytes: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** An answer that is none: its status is not 200. */
export class BadStatusError extends Error {
  override readonly name = 'BadStatus';
  readonly status: number;
  /** What Retry-After asks for; null without it. */
  readonly retryAfterSeconds: number | null;

  constructor({ status, headers }: Response) {
    super(`status ${status}`);
    this.status = status;
    const asked = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
    this.retryAfterSeconds = asked === undefined ? null : Number(asked);
  }
}

/**
 * The body of a GET as text. Redirects are not followed.
 * @throws BadStatus, RangeError when the body is too long, whatever `fetch` throws when there is no answer in time.
 */
export async function fetchText(url: string, { timeoutMs, maxBytes, signal }: FetchLimits): Promise<string> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // One of the exchanges refuses who does not say what it is.
    headers: { accept: 'application/json', 'user-agent': 'crypto-market/1' },
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new BadStatusError(response);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(await readBounded(response.body, maxBytes));
}
