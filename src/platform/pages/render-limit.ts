/** Limits how many pages one client can have rendered or revalidated. */
import { Refusal } from '#src/platform/http/call.ts';
import { toClientKey } from '#src/platform/http/client-key.ts';
import type { Limit, RateLimits } from '#src/platform/http/rate-limits.ts';

/**
 * Counted per process, since it protects the CPU. Private pages are counted separately, so that searches do not block
 * orders of other visitors behind the same address.
 */
const LIMIT: Limit = { points: 40, seconds: 10, by: 'ip' };
/** A revalidation costs at most a tenth of a render. */
const REVALIDATION_LIMIT: Limit = { points: 400, seconds: 10, by: 'ip' };

/** @returns the refusal if the client exceeded the limit */
export function consumeRenderLimit(limits: RateLimits, ip: string, isPrivate: boolean): Promise<Refusal | null> {
  return consume(limits, isPrivate ? 'private pages' : 'pages', LIMIT, ip);
}

/** @returns the refusal if the client exceeded the limit */
export function consumeRevalidationLimit(limits: RateLimits, ip: string): Promise<Refusal | null> {
  return consume(limits, 'revalidated pages', REVALIDATION_LIMIT, ip);
}

async function consume(limits: RateLimits, name: string, limit: Limit, ip: string): Promise<Refusal | null> {
  const consumed = await limits.consume(name, limit, toClientKey(ip));
  if (consumed.ok) return null;
  return new Refusal(429, 'too-often', 'You opened too many pages in a short time.', consumed);
}
