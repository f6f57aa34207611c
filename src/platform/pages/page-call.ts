import type { InProcessCall } from '#src/platform/http/api.ts';
import type { Caller, RawInput, Refusal, ClientReply } from '#src/platform/http/call.ts';
import type { PageDependencies } from './page-cache.ts';

/**
 * A refused API call in a loader. The bundle has its own class of this name and compares the shape.
 */
class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | null;

  constructor({ status, code, message, fields = {}, retryAfterSeconds }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
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
    dependencies?.addCall(key);
    let outcome;
    try {
      outcome = await inProcess(key, request, caller, reply);
    } catch (error) {
      dependencies?.markFailed();
      throw error;
    }
    if (outcome.ok) return outcome.wire;
    if (outcome.refusal.status >= 500) dependencies?.markFailed();
    throw new ApiFailure(outcome.refusal);
  };
}
