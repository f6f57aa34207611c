import type { InProcessCall } from '#src/platform/http/api.ts';
import type { Caller, RawInput, Refusal, ClientReply } from '#src/platform/http/call.ts';
import type { PageDependencies } from './page-cache.ts';

/**
 * A refusal on its way to a loader. The pages' bundle has its own class of this name and knows both by their shape.
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
  /** On a page that may be kept: what it is made of is noted there. */
  readonly dependencies: PageDependencies | null;
  /** Where the answers to a form may set cookies; null for a page that is only read. */
  readonly reply: ClientReply | null;
}

/** The API as a page's loader calls it: in this process, as the visitor that the page is rendered for. */
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
