/** Limits how many uncached pages one client can have rendered. */
import { Refusal } from '#src/platform/http/call.ts';
import { toClientKey } from '#src/platform/http/client-key.ts';
import type { Limit, RateLimits } from '#src/platform/http/rate-limits.ts';

/**
 * Counted per process, since it protects the CPU. Private pages are counted separately, so that searches do not block
 * orders of other visitors behind the same address.
 */
const LIMIT: Limit = { points: 40, seconds: 10, by: 'ip' };

/** @returns the refusal if the client exceeded the limit */
export async function consumeRenderLimit(limits: RateLimits, ip: string, isPrivate: boolean): Promise<Refusal | null> {
  const consumed = await limits.consume(isPrivate ? 'private pages' : 'pages', LIMIT, toClientKey(ip));
  if (consumed.ok) return null;
  return new Refusal(429, 'too-often', 'You opened too many pages in a short time.', consumed);
}
