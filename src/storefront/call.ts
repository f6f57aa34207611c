import type { ApiCall, ApiKey, CallOptions, Conflict } from './api.ts';
import { ApiFailure, createNoAnswer, isApiFailure } from './api.ts';
import { readStored, TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';
import { takePrefetchedResponse } from '#src/platform/pages/browser/prefetched-responses.ts';
import { updateServerTime } from '#src/ui/browser/server-time.ts';

const TIMEOUT_MS = 15_000;
const SIGN_IN: ApiKey = 'POST /users/login';

interface AnyRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

let handleTokenRejected: (token: string) => void = () => {};

/** Sets the handler for a token that the server rejects. */
export function setTokenRejectedHandler(react: (token: string) => void): void {
  handleTokenRejected = react;
}

type Prompt = () => Promise<boolean>;
/** By the code of the refusal. */
const prompts = new Map<string, Prompt>();

const setPrompt = (code: string, prompt: Prompt | null): void => {
  if (prompt === null) prompts.delete(code);
  else prompts.set(code, prompt);
};

/**
 * Sets what asks for the password when a call needs a recent one; it returns whether the password was
 * entered. Null: the caller of `call` handles the refusal.
 */
export const setPasswordPrompt = (prompt: Prompt | null): void => setPrompt('reauth', prompt);

/** Sets what asks for the second factor when a call needs a confirmed one, as `setPasswordPrompt` does. */
export const setFactorPrompt = (prompt: Prompt | null): void => setPrompt('factor-not-confirmed', prompt);

/** Runs a request, and runs it again after the visitor entered the password, and then the second factor, for it. */
export async function repeatAfterPrompt<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let prompted: readonly string[] = []; ;) {
    try {
      return await run();
    } catch (error) {
      const code = isApiFailure(error) ? error.code : '';
      if (prompted.includes(code) || !(await prompts.get(code)?.())) throw error;
      prompted = [...prompted, code];
    }
  }
}

const isShort = (text: string | null): boolean => text === null || text.length < 16_000;

/** Calls the API from the browser, with the visitor's token if there is one. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server returns what the same contract declares
export const call = ((key: ApiKey, request?: AnyRequest, options?: CallOptions): Promise<unknown> =>
  repeatAfterPrompt(() => callOnce(key, request, options))) as ApiCall;

async function callOnce(key: ApiKey, request: AnyRequest = {}, options: CallOptions = {}): Promise<unknown> {
  const [method = 'GET', template = ''] = key.split(' ');
  const { params = {}, query = {}, body } = request;
  // An invalid old token would be rejected even at login.
  const token = key === SIGN_IN ? null : readStored(TOKEN_KEY);
  const headers = new Headers({ accept: 'application/json' });
  const text = body === undefined ? null : JSON.stringify(body);
  if (text !== null) headers.set('content-type', 'application/json');
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey);

  const init: RequestInit = {
    method,
    headers,
    credentials: 'same-origin',
    // Completes the last write even if the visitor leaves the page. Browsers refuse it for more than 64 KiB.
    keepalive: method !== 'GET' && isShort(text),
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(options.signal ? [options.signal] : [])]),
    body: text,
  };
  const early = method === 'GET' ? takePrefetchedResponse(template, token) : null;
  const { status, json, retryAfter } = await send(
    `/api${formatPath(template, params)}${formatQuery(query)}`,
    init,
    early,
  );
  if (status >= 200 && status < 300) return json;
  const failure = toFailure(status, json, retryAfter);
  // The token is still valid if the server only requires the password again.
  if (status === 401 && token && failure.code !== 'reauth') handleTokenRejected(token);
  throw failure;
}

interface ReceivedResponse {
  readonly status: number;
  readonly json: unknown;
  /** Whole seconds. */
  readonly retryAfter: string | null;
}

type TimedResponse = readonly [Response, number];

const fetchNow = async (url: string, init: RequestInit): Promise<TimedResponse> => [await fetch(url, init), Date.now()];

async function send(url: string, init: RequestInit, early: Promise<TimedResponse> | null): Promise<ReceivedResponse> {
  try {
    // A prefetched response that timed out before the scripts ran is requested again.
    const first = early && (await readResponse(early).catch(() => null));
    return first ?? (await readResponse(fetchNow(url, init)));
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    throw createNoAnswer(isTimeout ? 'time-out' : 'no-answer');
  }
}

/** Rejects if the body ends early. */
async function readResponse(request: Promise<TimedResponse>): Promise<ReceivedResponse> {
  const [response, cameAt] = await request;
  updateServerTime(response.headers.get('date'), cameAt);
  const text = await response.text();
  return { status: response.status, json: parseJson(text), retryAfter: response.headers.get('retry-after') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function formatPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function formatQuery(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item));
  }
  return search.size > 0 ? `?${search}` : '';
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isConflict = (value: unknown): value is Conflict => isRecord(value) && Array.isArray(value.fields);

function toFailure(status: number, json: unknown, retryAfter: string | null): ApiFailure {
  const error = isRecord(json) && isRecord(json.error) ? json.error : {};
  const fields = isRecord(error.fields) ? Object.entries(error.fields) : [];
  return new ApiFailure(
    status,
    typeof error.code === 'string' ? error.code : 'unknown',
    typeof error.message === 'string' ? error.message : 'Unknown error',
    {
      fields: Object.fromEntries(fields.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
      retryAfterSeconds: retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null,
      conflict: isConflict(error.conflict) ? error.conflict : null,
    },
  );
}
