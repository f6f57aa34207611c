import { readBounded } from '#src/platform/read-bounded.ts';
import { ChainSourceError } from './chain-source.ts';

export interface BoundedRequest {
  /** Without user and password. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /** An answer that is longer is given up. */
  readonly maxBytes: number;
}

export interface BoundedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** The server could not be reached, or did not finish its answer in time: another try may do better. */
export class UnreachableError extends ChainSourceError {}

/** What went wrong below HTTP, in a word such as ECONNREFUSED; nothing of the URL. */
function describeFailure(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'TimeoutError') return 'no answer in time';
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return 'connection lost';
}

/**
 * One HTTP request with a limit on its time and on the length of its answer; connections are kept for the next one.
 * Redirections are not followed: a server that is asked for blocks has no reason to send elsewhere.
 * @param who how the server is called in errors
 * @throws UnreachableError, ChainSourceError
 */
export async function sendBoundedRequest(who: string, request: BoundedRequest): Promise<BoundedResponse> {
  const { url, method, headers = {}, body, timeoutMs, maxBytes } = request;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers: answered } = response;
    return { status, headers: answered, body: await readBounded(response.body, maxBytes) };
  } catch (error) {
    if (error instanceof RangeError) throw new ChainSourceError(`${who} answers more than ${maxBytes} bytes`);
    throw new UnreachableError(`${who} cannot be reached: ${describeFailure(error)}`);
  }
}
