import { readBounded } from '#src/platform/read-bounded.ts';
import { ChainSourceError } from './chain-source.ts';

export interface BoundedRequest {
  /** Without credentials. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole response, in ms. */
  readonly timeoutMs: number;
  /** Maximum length of the response. */
  readonly maxBytes: number;
}

export interface BoundedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** The server is unreachable or timed out; a retry may succeed. */
export class UnreachableError extends ChainSourceError {}

/** Network error code such as ECONNREFUSED, without the URL. */
function describeFailure(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'TimeoutError') return 'no response in time';
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return 'connection lost';
}

/**
 * Sends an HTTP request with limits on time and response length; reuses connections and does not
 * follow redirects.
 * @param who name of the server in errors
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
    const { status, headers: responseHeaders } = response;
    return { status, headers: responseHeaders, body: await readBounded(response.body, maxBytes) };
  } catch (error) {
    if (error instanceof RangeError) throw new ChainSourceError(`${who} returned more than ${maxBytes} bytes`);
    throw new UnreachableError(`${who} could not be reached: ${describeFailure(error)}`);
  }
}
