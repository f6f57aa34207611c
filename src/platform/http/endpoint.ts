/**
 * The shape of a contract: one entry a call, keyed `METHOD /path` (the path below `/api`). The server derives its
 * handlers from it, the documentation its schemas, the browser the types of its calls.
 */
import type { z } from 'zod';

export interface Endpoint {
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** `binary`: the body is raw bytes (application/octet-stream). Default: JSON of the schema `body`. */
  readonly bodyType?: 'binary';
  /** A request without a body is one without fields. Default: it is refused. */
  readonly isBodyOptional?: boolean;
  /** Status of success; default 200. */
  readonly status?: 200 | 201;
  readonly response: z.ZodType;
  /** A file: the handler returns a `Download`. Default: JSON of the schema `response`. */
  readonly responseType?: 'csv' | 'pdf' | 'jpeg' | 'pdf-or-jpeg' | 'backup';
  /** Whether a refusal has `message: 'error'` besides its `error`. */
  readonly hasErrorMessage?: boolean;
  /** Error message of an invalid request; default: a general sentence. */
  readonly failureMessage?: string;
  /** Larger body limit in bytes. Applies to permitted callers only. */
  readonly maxBodyBytes?: number;
  /** Codes of this call's own refusals, for the documentation. */
  readonly refusals?: Readonly<Record<number, string>>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Contract = Readonly<Record<`${Method} /${string}`, Endpoint>>;

type Part = 'params' | 'query' | 'body';
export type DecodedPart<E, P extends Part> = E extends { readonly [Key in P]: infer S extends z.ZodType }
  ? { readonly [Key in P]: z.output<S> }
  : unknown;
type WirePart<E, P extends Part> = E extends { readonly [Key in P]: infer S extends z.ZodType }
  ? { readonly [Key in P]: z.input<S> }
  : unknown;

type BinaryBody<E, Bytes> = E extends { readonly bodyType: 'binary' } ? { readonly body: Bytes } : unknown;

/** What a handler receives: decoded values. */
export type DecodedRequest<E extends Endpoint> = DecodedPart<E, 'params'> &
  DecodedPart<E, 'query'> &
  DecodedPart<E, 'body'> &
  BinaryBody<E, Buffer>;
/** What a client sends: wire values. Bytes are not sent with `call`. */
export type WireRequest<E extends Endpoint> = WirePart<E, 'params'> &
  WirePart<E, 'query'> &
  WirePart<E, 'body'> &
  BinaryBody<E, never>;
/** What a handler returns: domain values, encoded afterwards. */
export type DecodedResponse<E extends Endpoint> = z.output<E['response']>;
/** What a client reads: wire values. */
export type WireResponse<E extends Endpoint> = z.input<E['response']>;
