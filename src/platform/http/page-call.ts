import type { InProcessCall } from './api.ts';
import type { Caller, RawInput } from './call.ts';

/**
 * A refusal on its way to a loader. The pages' bundle has its own class of this name and knows both by their shape.
 */
class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** The API as a page's loader calls it: in this process, as the visitor that the page is rendered for. */
export function pageCall(inProcess: InProcessCall, caller: Caller) {
  return async (key: string, request: Partial<RawInput> = {}): Promise<unknown> => {
    const outcome = await inProcess(key, request, caller);
    if (outcome.ok) return outcome.wire;
    const { status, code, message, fields } = outcome.refusal;
    throw new ApiFailure(status, code, message, fields);
  };
}
