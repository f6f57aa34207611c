import { z } from 'zod';
import { filledText, id, instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { isOneLine } from '#src/shop/shop-settings/check-text.ts';
import { listScopes } from './scope.ts';

const scope = z.enum(listScopes());

const apiKey = z.object({
  id,
  name: z.string(),
  /** The beginning and the end of the key. */
  hint: z.string(),
  scopes: z.array(scope),
  created_by: z.string(),
  created_at: instant,
  /** Null: never. */
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  /** To the minute; null: never. */
  last_used_at: instant.nullable(),
  /** `owner-left`: the account that created it is no owner any more. */
  state: z.enum(['active', 'expired', 'revoked', 'owner-left']),
});
export type ApiKey = z.input<typeof apiKey>;

export const apiKeysApi = {
  'GET /api-keys': {
    summary: 'Owner: all API keys, newest first, without the keys themselves',
    response: z.object({ api_keys: z.array(apiKey) }),
    refusals: { 403: 'forbidden' },
  },
  'POST /api-keys': {
    summary:
      'Owner: creates an API key, within 15 minutes of entering the password. The key is shown once. At most 50 are active',
    body: z.object({
      name: filledText(60).refine(isOneLine, { message: 'must be one line' }),
      scopes: z
        .array(scope)
        .min(1, { message: 'Select at least one scope' })
        .max(100)
        .transform((scopes) => [...new Set(scopes)]),
      /** Null: never. */
      expires_in_days: z.int().min(1).max(3650).nullable(),
    }),
    status: 201,
    response: z.object({ api_key: apiKey, key: z.string() }),
    failureMessage: 'The key was not created',
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'too-many' },
  },
  'DELETE /api-keys/{id}': {
    summary: 'Owner: revokes an API key at once',
    params: z.object({ id }),
    response: z.object({ message: z.literal('success') }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
