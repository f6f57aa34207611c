import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { sendBoundedRequest, UnreachableError } from '../bounded-request.ts';
import type { BoundedResponse } from '../bounded-request.ts';
import { ChainSourceError } from '../chain-source.ts';

const WHO = 'the Bitcoin node';

export interface CoreRpcOptions {
  /** http://user:password@host:port; credentials may be omitted with a cookie file. */
  readonly url: string;
  /** File where the node writes `__cookie__:password` at startup. */
  readonly cookieFile: string | null;
  readonly timeoutMs?: number;
}

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An error returned by the node; `code` as in Bitcoin Core's rpc/protocol.h. */
export class RpcError extends ChainSourceError {
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${WHO} rejected ${method}: ${message} (${code})`);
    this.code = code;
  }
}

/** Hints by error code of the operating system. */
const COOKIE_HINTS: Readonly<Record<string, string>> = {
  ENOENT: ' (does the node run, and does CORE_COOKIE_FILE name its .cookie?)',
  EACCES: ' (the node needs rpccookieperms=group, and its directories need group execute permission)',
};

const TIMEOUT_MS = 30_000;
/** Fits a block of 4 MB in hex, or a mempool of 900,000 transactions. */
const MAX_BYTES = 64_000_000;

const responseShape = z.object({
  id: z.number().nullable(),
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
});
type RpcResponse = z.output<typeof responseShape>;

/** Bitcoin Core's JSON-RPC over HTTP. Errors never contain the password or the cookie. */
export class CoreRpc {
  readonly #url: string;
  readonly #password: string | null;
  readonly #cookieFile: string | null;
  readonly #timeoutMs: number;
  #cookie: Promise<string> | null = null;
  /** Whether the node has returned a status other than 403. */
  #isAllowedIn = false;

  constructor({ url, cookieFile, timeoutMs = TIMEOUT_MS }: CoreRpcOptions) {
    const parsed = new URL(url);
    const { username, password } = parsed;
    this.#password = username === '' ? null : `${decodeText(username)}:${decodeText(password)}`;
    parsed.username = '';
    parsed.password = '';
    this.#url = parsed.href;
    this.#cookieFile = cookieFile;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws RpcError if the node rejects the call, ChainSourceError otherwise */
  async call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const response = this.#read(method, await this.#post({ id: 0, method, params }), responseShape);
    return requireResult(method, response);
  }

  /**
   * Sends several calls in one request; each has its own result.
   * @throws ChainSourceError without a response
   */
  async callBatch(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    const body = calls.map(({ method, params }, id) => ({ id, method, params }));
    const methods = [...new Set(calls.map(({ method }) => method))].join(', ');
    const responses = this.#read(methods, await this.#post(body), z.array(responseShape));
    const byId = new Map(responses.map((response) => [response.id, response]));
    return Promise.allSettled(
      calls.map(async ({ method }, id) => {
        const response = byId.get(id);
        if (response === undefined) throw new ChainSourceError(`${WHO} did not respond to every call of a batch`);
        return requireResult(method, response);
      }),
    );
  }

  async #post(body: unknown): Promise<BoundedResponse> {
    const text = JSON.stringify(body);
    const first = await this.#tryTwice(text);
    if (first.status !== 401 || this.#cookieFile === null) return first;
    // The node restarted and has a new cookie.
    this.#cookie = null;
    return this.#send(text);
  }

  /** The node may close a reused connection, so try twice. */
  async #tryTwice(body: string): Promise<BoundedResponse> {
    try {
      return await this.#send(body);
    } catch (error) {
      if (!(error instanceof UnreachableError) || !/ECONNRESET|UND_ERR_SOCKET|connection lost/.test(error.message)) {
        throw error;
      }
      return this.#send(body);
    }
  }

  async #send(body: string): Promise<BoundedResponse> {
    const credentials = this.#password ?? (await this.#readCookie());
    return sendBoundedRequest(WHO, {
      url: this.#url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      },
      body,
      timeoutMs: this.#timeoutMs,
      maxBytes: MAX_BYTES,
    });
  }

  /** 403 means that rpcwhitelist lacks the call, or that this machine is not allowed. */
  #explain403(): string {
    if (this.#isAllowedIn) return 'add it to rpcwhitelist';
    return 'add it to rpcwhitelist if the node has one, else allow this machine with rpcallowip';
  }

  #readCookie(): Promise<string> {
    const file = this.#cookieFile;
    if (file === null) return Promise.reject(new ChainSourceError(`no password for ${WHO}`));
    this.#cookie ??= readFile(file, 'utf8').then(
      (text) => text.trim(),
      (error: unknown) => {
        this.#cookie = null;
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
        throw new ChainSourceError(`the cookie file of ${WHO} could not be read: ${code}${COOKIE_HINTS[code] ?? ''}`);
      },
    );
    return this.#cookie;
  }

  /** @param methods of the calls, for error messages */
  #read<T>(methods: string, { status, body }: BoundedResponse, shape: z.ZodType<T>): T {
    if (status === 401) throw new ChainSourceError(`${WHO} rejected the user and password of CORE_RPC_URL`);
    if (status === 403) throw new ChainSourceError(`${WHO} rejected ${methods} (403): ${this.#explain403()}`);
    this.#isAllowedIn = true;
    const parsed = shape.safeParse(parseJson(body));
    // RPC errors have status 500 or 404 with a body; an overloaded node has 503 without one.
    if (!parsed.success) throw new ChainSourceError(`${WHO} returned an invalid response with status ${status}`);
    return parsed.data;
  }
}

/** A percent sign that is not an escape is literal. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function requireResult(method: string, { result, error }: RpcResponse): unknown {
  if (error) throw new RpcError(method, error.code, error.message.slice(0, 300));
  return result;
}
