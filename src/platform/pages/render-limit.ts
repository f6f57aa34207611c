/** How many pages that are not in the cache one client may have rendered. */
import { Refusal } from '#src/platform/http/call.ts';
import { toClientKey } from '#src/platform/http/client-key.ts';
import type { Limit, RateLimits } from '#src/platform/http/rate-limits.ts';

/**
 * Counted in this process: what is limited is its processor. Private pages, never in the cache, have a count of their own,
 * so that one visitor's searches do not keep others behind the same address from their orders.
 */
const LIMIT: Limit = { points: 40, seconds: 10, by: 'ip' };

/** @returns the refusal when the client at this address had too many pages rendered */
export async function consumeRenderLimit(limits: RateLimits, ip: string, isPrivate: boolean): Promise<Refusal | null> {
  const taken = await limits.consume(isPrivate ? 'private pages' : 'pages', LIMIT, toClientKey(ip));
  if (taken.ok) return null;
  return new Refusal(429, 'too-often', 'You opened very many pages in a short time.', taken);
}
