/** Calls of a shop's API over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ApiRequest {
  /** Bearer token. */
  readonly token?: string;
  /** The whole Cookie header. */
  readonly cookie?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Given for reauthentication where a staff action requires it; default: the demo password.
   * Null: not given.
   */
  readonly password?: string | null;
}

const DEMO_PASSWORD = 'crypto-market';
const SHED_TRIES = 30;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, else the text. Read it with `textAt` and `numberAt`, or compare it whole. */
  readonly body: unknown;
}

/** A call of the API; the path is the contract's, below `/api`. */
export type CallApi = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  request?: ApiRequest,
) => Promise<ApiResponse>;

/** Calls of the API of one process. */
export const createApiClient =
  (url: string): CallApi =>
  (method, path, request) =>
    callAgain(`${url}/api`, method, path, request);

const readErrorCode = (body: unknown): unknown =>
  isRecord(body) && isRecord(body['error']) ? body['error']['code'] : null;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Changes of one's own account are excluded: their tests reauthenticate explicitly. */
async function callAgain(base: string, method: string, path: string, request: ApiRequest = {}): Promise<ApiResponse> {
  const response = await call(`${base}${path}`, method, request);
  const { password = DEMO_PASSWORD, ...rest } = request;
  const isAsked = response.status === 401 && readErrorCode(response.body) === 'reauth' && !path.startsWith('/users');
  if (!isAsked || password === null) return response;
  const reauthentication = await call(`${base}/users/reauthenticate`, 'POST', { ...rest, body: { password } });
  return reauthentication.status === 200 ? call(`${base}${path}`, method, rest) : response;
}

/** Retries a call that a busy machine shed, as clients should. */
async function call(url: string, method: string, request: ApiRequest = {}): Promise<ApiResponse> {
  for (let triesLeft = SHED_TRIES; ; triesLeft -= 1) {
    const response = await callOnce(url, method, request);
    const isShed = response.status === 503 && readErrorCode(response.body) === 'overloaded';
    if (!isShed || triesLeft === 0) return response;
    await sleep(Number(response.headers.get('retry-after')) * 1000);
  }
}

async function callOnce(url: string, method: string, request: ApiRequest): Promise<ApiResponse> {
  const headers = new Headers(request.headers);
  if (request.token !== undefined) headers.set('authorization', `Bearer ${request.token}`);
  if (request.cookie !== undefined) headers.set('cookie', request.cookie);
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (request.body !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    init.body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  }
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}
