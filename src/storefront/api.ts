/** Types of the API calls. The contracts themselves stay out of the browser bundle. */
import type { ShopApi } from '#src/shop/api.ts';
import type { DemoToolsApi } from '#src/shop/demo/contract.ts';
import type { Conflict, WireRequest, WireResponse } from '#src/shop/codecs.ts';

/** Developer calls exist in demo mode only; in live mode they return 404. */
type PagesApi = ShopApi & DemoToolsApi;
export type { Conflict };
export type ApiKey = keyof PagesApi;

type WithOptionalQuery<Request> = Request extends { readonly query: infer Query }
  ? object extends Query
    ? Omit<Request, 'query'> & { readonly query?: Query }
    : Request
  : Request;

type ApiRequest<Key extends ApiKey> = WithOptionalQuery<WireRequest<PagesApi[Key]>>;
type ApiResponse<Key extends ApiKey> = WireResponse<PagesApi[Key]>;

export interface CallOptions {
  /** Aborts the call, which then fails with status 0. */
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

/** `call('GET /products/{slug}', { params: { slug } })`. Throws an ApiFailure unless it succeeds. */
export type ApiCall = <Key extends ApiKey>(
  key: Key,
  ...request: object extends ApiRequest<Key>
    ? [request?: ApiRequest<Key>, options?: CallOptions]
    : [request: ApiRequest<Key>, options?: CallOptions]
) => Promise<ApiResponse<Key>>;

interface FailureDetails {
  readonly fields?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number | null;
  readonly conflict?: Conflict | null;
}

/** A failed call. Status 0: no response (no network, or none within 15 s). */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  /** From Retry-After, if the response has one. */
  readonly retryAfterSeconds: number | null;
  /** Of a refused change of an older version. */
  readonly conflict: Conflict | null;

  constructor(
    status: number,
    code: string,
    message: string,
    { fields = {}, retryAfterSeconds = null, conflict = null }: FailureDetails = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
    this.conflict = conflict;
  }
}

/** The failure of a call that the shop did not respond to. */
export const createNoAnswer = (code: 'no-answer' | 'time-out' = 'no-answer'): ApiFailure =>
  new ApiFailure(0, code, 'The shop did not respond');

/** Compares names: the server bundle has its own copy of the class. */
export function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof Error && error.name === 'ApiFailure' && 'status' in error && 'code' in error;
}

/** A 4xx: the shop refused the call, and nothing is broken. */
export const isRefusal = (error: unknown): error is ApiFailure =>
  isApiFailure(error) && error.status >= 400 && error.status < 500;
