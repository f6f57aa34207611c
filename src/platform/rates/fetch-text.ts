import { readBounded } from '#src/platform/read-bounded.ts';

export interface FetchLimits {
  /** Time limit of the whole request in ms. */
  readonly timeoutMs: number;
  /** Maximum size of the decompressed body. */
  readonly maxBytes: number;
  /** Aborts the request. */
  readonly signal: AbortSignal;
  /** Accepted media type; default: JSON. */
  readonly accept?: string;
}

/** The status of the response is not 200. */
export class BadStatusError extends Error {
  override readonly name = 'BadStatus';
  readonly status: number;
  /** Value of Retry-After; null without it. */
  readonly retryAfterSeconds: number | null;

  constructor({ status, headers }: Response) {
    super(`status ${status}`);
    this.status = status;
    const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
    this.retryAfterSeconds = seconds === undefined ? null : Number(seconds);
  }
}

/**
 * The body of a GET as text. Redirects are not followed.
 * @throws BadStatusError; RangeError if the body is too long; errors of `fetch` on a timeout
 */
export async function fetchText(url: string, limits: FetchLimits): Promise<string> {
  const { accept = 'application/json', maxBytes, signal, timeoutMs } = limits;
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // One exchange refuses requests without a User-Agent.
    headers: { accept, 'user-agent': 'crypto-market/1' },
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new BadStatusError(response);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(await readBounded(response.body, maxBytes));
}
