/** The calls of the shop, as types only: nothing of the contracts reaches the browser. */
import type { ShopApi } from '#src/shop/api.ts';
import type { DemoToolsApi } from '#src/shop/demo/contract.ts';
import type { WireRequest, WireResponse } from '#src/shop/codecs.ts';

/** The developer’s calls are there in demo mode only; elsewhere they answer 404. */
type PagesApi = ShopApi & DemoToolsApi;
export type ApiKey = keyof PagesApi;

type WithOptionalQuery<Request> = Request extends { readonly query: infer Query }
  ? object extends Query
    ? Omit<Request, 'query'> & { readonly query?: Query }
    : Request
  : Request;

type ApiRequest<Key extends ApiKey> = WithOptionalQuery<WireRequest<PagesApi[Key]>>;
type ApiResponse<Key extends ApiKey> = WireResponse<PagesApi[Key]>;

export interface CallOptions {
  /** Gives the call up: it then fails with status 0. */
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

/** `call('GET /products/{slug}', { params: { slug } })`. Throws an ApiFailure for everything but success. */
export type ApiCall = <Key extends ApiKey>(
  key: Key,
  ...request: object extends ApiRequest<Key>
    ? [request?: ApiRequest<Key>, options?: CallOptions]
    : [request: ApiRequest<Key>, options?: CallOptions]
) => Promise<ApiResponse<Key>>;

/** A call that did not succeed. Status 0: there was no answer (no network, or none within 15 s). */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  /** When to try again, if the server said so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Readonly<Record<string, string>> = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Also true for a failure made by another copy of this module: the server's bundle has its own. */
export function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof Error && error.name === 'ApiFailure' && 'status' in error && 'code' in error;
}

/** The shop answered, and the answer was no: nothing is broken. */
export const isRefusal = (error: unknown): error is ApiFailure =>
  isApiFailure(error) && error.status >= 400 && error.status < 500;
