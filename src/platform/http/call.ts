/**
 * A route: its access policy, rate limit and handler. `executeRoute` runs it in the same way for
 * HTTP requests and for loaders in this process.
 */
import { z } from 'zod';
import { ThreadBusyError, ThreadQueueError } from '#src/platform/process/task-thread.ts';
import type { SecurityEventKind } from '#src/platform/security/security-log.ts';
import { describeIssue } from './describe-issue.ts';
import type { DecodedPart, DecodedResponse, Contract, DecodedRequest, Endpoint, WireResponse } from './endpoint.ts';
import type { Limit } from './rate-limits.ts';

/** An authenticated session. */
export interface Identity {
  readonly sessionId: string;
  readonly userId: string;
  readonly username: string;
  readonly role: string;
  /** The account belongs to the team of the shop. */
  readonly isStaff: boolean;
  /** The back office is closed to the account until it sets up a second factor. */
  readonly lacksSecondFactor?: boolean;
  /** The back office is closed to the account until it sets a password of the length that members of the team need. */
  readonly lacksLongPassword?: boolean;
  /** When the password was last entered in this session. Without it: long ago. */
  readonly authenticatedAt?: Date;
  /** The key of a call with an API key, which has no session. It may make these calls only. */
  readonly apiKey?: {
    readonly id: string;
    readonly name: string;
    readonly allows: (call: string) => boolean;
    /** For calls that need a further scope for a part of what they can change. */
    readonly hasScope: (scope: string) => boolean;
  };
}

/** Requirements of a call. The shop names its rules; a route names one of them as `who`. */
export interface AccessRule {
  /** Whether callers of this role may use the call. */
  readonly allows: (role: string) => boolean;
  /**
   * For members of the team only: 403 `password-too-short` until their password is long enough. Such calls still write
   * when the disk is nearly full.
   */
  readonly isForStaff: boolean;
  /** Refuses members who have to set up a second factor first: 403 `second-factor-required`. */
  readonly needsSecondFactor: boolean;
  /** Requires the password within the last 15 minutes; otherwise 401 `reauth`. */
  readonly needsRecentPassword: boolean;
  /** Security event of each use. Null for none. */
  readonly event: SecurityEventKind | null;
}

/** How long an entered password counts as recent. */
export const RECENT_PASSWORD_MS = 15 * 60_000;

/** Whether the password was entered in the session within the last 15 minutes. */
export const isPasswordRecent = (
  { authenticatedAt }: { readonly authenticatedAt?: Date | undefined },
  now: Date,
): boolean => (authenticatedAt?.getTime() ?? 0) > now.getTime() - RECENT_PASSWORD_MS;

/** The caller, derived from the connection and the session, never from the content of the request. */
export interface Caller {
  readonly identity: Identity | null;
  /** Cookie guest_user_id as sent. It may not match a cart. */
  readonly guestToken: string | null;
  /** Client address as limits count it (`toClientKey`): IPv6 by /64. */
  readonly ip: string;
  /** Device cookie as sent. Null without one. */
  readonly deviceCookie?: string | null;
  /** The request carries Sec-Fetch-*: only browsers send those, and scripts cannot forge them. */
  readonly isBrowser: boolean;
  /** User agent. Null without one. */
  readonly userAgent?: string | null;
  /** Cookie of a login that lacks the second factor. */
  readonly pendingLogin?: string | null;
  /** The bearer token as sent, for logging out. */
  readonly bearer: string | null;
  readonly idempotencyKey: string | null;
  /** For the log. */
  readonly requestId?: string;
  /** Aborts when the client closes the connection. Absent for calls within the process. */
  readonly getAbortSignal?: () => AbortSignal;
}
type SignedInCaller = Caller & { readonly identity: Identity };

/** A change that came in between, as the response shows it. */
export interface Conflict {
  /** Who made it; null if unknown. */
  readonly by: string | null;
  /** When, in ISO 8601; null if unknown. */
  readonly at: string | null;
  /** What differs now from what the caller saw. Empty if unknown. */
  readonly fields: readonly { readonly path: string; readonly label: string }[];
}

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly conflict?: Conflict;
  };
}

/** An expected error response. */
export class Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly conflict: Conflict | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { fields?: Readonly<Record<string, string>>; retryAfterSeconds?: number; conflict?: Conflict } = {},
  ) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.fields = extra.fields;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.conflict = extra.conflict;
  }

  get body(): ErrorBody {
    const { code, message, fields, conflict } = this;
    return { error: { code, message, ...(fields && { fields }), ...(conflict && { conflict }) } };
  }
}

const INVALID = 'The request contains invalid values';
/** @param fields messages by field */
export const createInvalid = (fields: Readonly<Record<string, string>>): Refusal =>
  new Refusal(400, 'invalid', INVALID, { fields });
/** Null if there are no messages. */
export const refuseInvalid = (fields: Readonly<Record<string, string>>): Refusal | null =>
  Object.keys(fields).length > 0 ? createInvalid(fields) : null;

/** The same response for missing things and those of other users. */
export const createNotFound = (): Refusal => new Refusal(404, 'not-found', 'Not found');

const UNKNOWN_CONFLICT: Conflict = { by: null, at: null, fields: [] };

/** "Tax name" is "tax name" within a sentence, and "URL" stays. */
const toWord = (label: string): string => label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/**
 * The response to a change of a version that is not the newest any more.
 * @param what was changed, such as 'this product'
 */
export function createConflict(what: string, conflict = UNKNOWN_CONFLICT): Refusal {
  const labels = conflict.fields.map(({ label }) => toWord(label));
  const named = labels.length === 0 ? '' : ` (${labels.join(', ')})`;
  const by = conflict.by ?? 'Someone else';
  return createConflictMessage(
    `${by} changed ${what} meanwhile${named}. Nothing was saved: reload the page to see the change`,
    conflict,
  );
}

/** As `createConflict`, with a sentence of its own. @param fields messages by field, if several were sent */
export const createConflictMessage = (
  message: string,
  conflict = UNKNOWN_CONFLICT,
  fields?: Readonly<Record<string, string>>,
): Refusal => new Refusal(409, 'changed-meanwhile', message, { conflict, ...(fields && { fields }) });

export const createUnauthenticated = (): Refusal => new Refusal(401, 'unauthenticated', 'Please log in');
/** The same for unknown, expired and revoked keys. */
export const createInvalidApiKey = (): Refusal =>
  new Refusal(401, 'unauthenticated', 'The API key is unknown, expired or revoked');

/** The page asks for the password and makes the call again. */
export const createReauthenticationRequired = (): Refusal => new Refusal(401, 'reauth', 'Enter your password again');
/** Of a call that an API key may make, but not with these values. */
export const createMissingScope = (scope: string): Refusal =>
  new Refusal(403, 'missing-scope', `This change needs an API key with the scope ${scope}`);

/** Refused by load shedding. The caller may retry soon. */
export const createOverloaded = (): Refusal =>
  new Refusal(503, 'overloaded', 'The shop is very busy. Please try again in a moment.', { retryAfterSeconds: 2 });

/** Refused by a limit of the caller. */
export const createTooOften = (retryAfterSeconds: number): Refusal =>
  new Refusal(429, 'too-often', 'Too many requests. Wait a moment and try again', { retryAfterSeconds });

/** A response that the contract's codec has encoded already, for a cache. */
export class Encoded<Wire> {
  readonly wire: Wire;
  constructor(wire: Wire) {
    this.wire = wire;
  }
}

/** A file as the response, sent as fast as the client reads it. */
export class Download {
  readonly filename: string;
  /** Media type. */
  readonly type: string;
  readonly pieces: AsyncIterable<string | Uint8Array> | Iterable<Uint8Array>;

  constructor(filename: string, type: string, pieces: Download['pieces']) {
    this.filename = filename;
    this.type = type;
    this.pieces = pieces;
  }
}

/** Headers, cookies and events of a handler, besides its response. */
export interface Reply {
  header(name: string, value: string): void;
  setCookie(name: string, value: string, maxAgeSeconds: number): void;
  clearCookie(name: string): void;
  /**
   * Records a security event of this call.
   * @param about the account, if not the caller's (null for none), and the id of the changed record
   */
  recordSecurityEvent(
    kind: SecurityEventKind,
    about?: { readonly userId?: string | null; readonly targetId?: string },
  ): void;
}
/** Headers and cookies of a reply. */
export type ClientReply = Omit<Reply, 'recordSecurityEvent'>;

type Call<E extends Endpoint, C extends Caller> = DecodedRequest<E> & { readonly caller: C; readonly reply: Reply };
type HandlerResult<E extends Endpoint> = Promise<DecodedResponse<E> | Encoded<WireResponse<E>> | Download | Refusal>;

type Route<E extends Endpoint, Rule extends string> =
  | {
      readonly who: 'anyone';
      readonly limit: Limit;
      /**
       * Version of a response that is the same for everybody. The response and its pages are cached
       * until it changes. Without it nothing is cached.
       */
      readonly getVersion?: () => string;
      readonly handle: (call: Call<E, Caller>) => HandlerResult<E>;
    }
  | {
      /** Name of an access rule. */
      readonly who: Rule;
      readonly limit: Limit;
      /** Returns personal data: reading it as staff is a security event. */
      readonly hasPersonalData?: true;
      /** Maximum open requests of a call with a binary body, in this process. Further ones are refused unread. */
      readonly maxOpen?: number;
      /** Of one account. */
      readonly maxOpenOfCaller?: number;
      /** Refuses a call before its large or binary body is read; null: it is read. */
      readonly admit?: (call: DecodedPart<E, 'params'> & { readonly identity: Identity }) => Promise<Refusal | null>;
      readonly handle: (call: Call<E, SignedInCaller>) => HandlerResult<E>;
    };

export type RoutesOf<C extends Contract, Rule extends string> = {
  readonly [Key in keyof C]: C[Key] extends Endpoint ? Route<C[Key], Rule> : never;
};

/** A route without its types. Its runner validates by the schemas of the contract. */
export interface AnyRoute {
  /** 'anyone', or the name of an access rule. */
  readonly who: string;
  readonly limit: Limit;
  readonly hasPersonalData?: true;
  readonly maxOpen?: number;
  readonly maxOpenOfCaller?: number;
  admit?(call: object): Promise<Refusal | null>;
  readonly getVersion?: () => string;
  handle(call: object): Promise<unknown>;
}

export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export type Outcome =
  | { readonly ok: true; readonly status: number; readonly wire: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Null if the caller may use the route.
 * @param key of the call @param rule null for calls of anyone
 */
export function checkAccess(
  key: string,
  rule: AccessRule | null,
  { identity }: Pick<Caller, 'identity'>,
  now: Date,
): Refusal | null {
  if (identity?.apiKey?.allows(key) === false) {
    return new Refusal(403, 'missing-scope', 'The API key lacks the scope of this call');
  }
  if (rule === null) return null;
  if (!identity) return createUnauthenticated();
  if (!rule.allows(identity.role)) return new Refusal(403, 'forbidden', 'Not allowed');
  if (rule.isForStaff && identity.lacksLongPassword === true) {
    return new Refusal(403, 'password-too-short', 'Set a longer password first');
  }
  if (rule.needsSecondFactor && identity.lacksSecondFactor === true) {
    return new Refusal(403, 'second-factor-required', 'Set up a second factor first');
  }
  return rule.needsRecentPassword && !isPasswordRecent(identity, now) ? createReauthenticationRequired() : null;
}

function listInvalidFields(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const name = issue.path.map(String).join('.') || 'body';
    fields[name] ??= issue.message;
  }
  return fields;
}

const hasNul = (value: unknown): boolean => JSON.stringify(value ?? null).includes('\\u0000');

/** A thread with too many tasks is an overload, unless they are of the caller. */
async function handleUnlessBusy(route: AnyRoute, call: object): Promise<unknown> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof ThreadBusyError) return createOverloaded();
    if (error instanceof ThreadQueueError) return createTooOften(2);
    throw error;
  }
}

/** Decodes, handles and encodes. The caller has checked permission and rate limit. */
export async function executeRoute(
  endpoint: Endpoint,
  route: AnyRoute,
  raw: RawInput,
  caller: Caller,
  reply: Reply,
): Promise<Outcome> {
  const call: Record<string, unknown> = { caller, reply };
  const invalid: Record<string, string> = {};
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part];
    if (!schema) continue;
    const isOmitted = part === 'body' && raw.body === undefined && endpoint.isBodyOptional === true;
    const parsed = schema.safeParse(isOmitted ? {} : raw[part], { error: describeIssue });
    if (parsed.success) call[part] = parsed.data;
    // An invalid id gets the same response as an unknown one.
    else if (part === 'params' && !hasNul(raw.params)) return { ok: false, refusal: createNotFound() };
    else Object.assign(invalid, listInvalidFields(parsed.error));
  }
  if (endpoint.bodyType === 'binary') {
    if (raw.body instanceof Buffer && raw.body.length > 0) call['body'] = raw.body;
    else invalid['body'] = 'is empty';
  }
  if (Object.keys(invalid).length > 0) {
    const message = endpoint.failureMessage ?? INVALID;
    const refusal = new Refusal(400, 'invalid', message, { fields: invalid });
    return { ok: false, refusal };
  }
  const result = await handleUnlessBusy(route, call);
  if (result instanceof Refusal) return { ok: false, refusal: result };
  if (result instanceof Download) return { ok: true, status: 200, wire: result };
  const wire: unknown = result instanceof Encoded ? result.wire : z.encode(endpoint.response, result);
  return { ok: true, status: endpoint.status ?? 200, wire };
}
