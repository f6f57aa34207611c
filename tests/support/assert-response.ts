import assert from 'node:assert/strict';
import { z } from 'zod';
import { errorBody } from '#src/shop/codecs.ts';
import type { RawResponse } from './raw-call.ts';

const REQUEST_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const refusal = z.strictObject({ error: errorBody.shape.error.strict(), message: z.literal('error').optional() });
/** Stack trace lines, source paths and database messages. */
const INTERNALS = /\n\s+at |node_modules|\.tsx?:\d|\bsyntax error\b|violates|FST_ERR|ZodError/;

/** Texts of the validator's library, and what is no sentence. */
const VALIDATOR_TEXT =
  /\b(?:Invalid (?:input|option|string|number|key|value|element|discriminator|[a-z]+(?: address)?$)|Too (?:big|small)|Unrecognized key|expected \w+|, received \w+|undefined|NaN)\b|[<>]=|\[object /;

/** Fails for a message that is none of the shop's own. */
function assertOwnMessages(error: z.output<typeof errorBody>['error'], what: string): void {
  for (const message of [error.message, ...Object.values(error.fields ?? {})]) {
    assert.doesNotMatch(message, VALIDATOR_TEXT, what);
  }
}

/** [API-01] Invariants of every response: no 5xx, a request id, one error shape, no internals. */
export function assertResponse({ status, headers, text }: RawResponse, what: string): void {
  assert.ok(status >= 200 && status < 500, `${what} returned ${status} ${text.slice(0, 500)}`);
  const requestId = headers['x-request-id'];
  assert.match(typeof requestId === 'string' ? requestId : '', REQUEST_ID, `${what}: X-Request-Id`);
  assert.doesNotMatch(text, INTERNALS, what);
  if (status < 400) return;
  const body: unknown = JSON.parse(text);
  // Strict: only the error; a registration also has `message: 'error'`.
  const { error } = refusal.parse(body);
  assertOwnMessages(error, what);
  assert.ok(error.code !== '' && error.message !== '', `${what}: ${text}`);
}
