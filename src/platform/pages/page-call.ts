import type { InProcessCall } from '#src/platform/http/api.ts';
import type { Caller, ClientReply, Conflict, RawInput, Refusal } from '#src/platform/http/call.ts';
import type { PageDependencies, RepeatCall } from './page-dependencies.ts';

/**
 * A refused API call in a loader. The bundle has its own class of this name and compares the shape.
 */
class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | null;
  readonly conflict: Conflict | null;

  constructor({ status, code, message, fields = {}, retryAfterSeconds, conflict }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.conflict = conflict ?? null;
  }
}

interface PageCallOptions {
  /** Records the calls of a cacheable page; null for other pages. */
  readonly dependencies: PageDependencies | null;
  /** Where the response to a form may set cookies; null for a GET. */
  readonly reply: ClientReply | null;
}

/** Calls the API in process, as the visitor that the page is rendered for. */
export function createPageCall(inProcess: InProcessCall, caller: Caller, { dependencies, reply }: PageCallOptions) {
  return async (key: string, request: Partial<RawInput> = {}): Promise<unknown> => {
    const makeCall = () => inProcess(key, request, caller, reply);
    const outcome = await (dependencies ? dependencies.record(key, request, makeCall) : makeCall());
    if (outcome.ok) return outcome.wire;
    throw new ApiFailure(outcome.refusal);
  };
}

/** Makes the calls of public pages again, as a visitor who is not signed in. */
export function createRepeatCall(inProcess: InProcessCall): RepeatCall {
  return (key, input) => inProcess(key, input, NOBODY, null);
}

const NOBODY: Caller = {
  identity: null,
  guestToken: null,
  ip: '',
  isBrowser: false,
  bearer: null,
  idempotencyKey: null,
};
