/** How often somebody may call. Counts are kept in the database where guessing must not be multiplied by processes. */
import type { Pool, QueryConfig } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

export interface Limit {
  /** Calls allowed in a window. */
  readonly points: number;
  /** Length of the window. */
  readonly seconds: number;
  /** Whose calls are counted together: an address's, or an account's (an address's while signed out). */
  readonly by: 'ip' | 'caller';
  /** Counted in the database, for all processes together. */
  readonly isShared?: boolean;
}

export type RateLimitResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

export interface RateLimits {
  /** Counts one call. `name` tells limits apart, `key` callers. */
  consume(name: string, limit: Limit, key: string): Promise<RateLimitResult>;
  /** Forgets what was counted, as after a login that succeeded. */
  reset(name: string, limit: Limit, key: string): Promise<void>;
  /** Takes back one call that was counted, and no other. */
  restore(name: string, limit: Limit, key: string): Promise<void>;
}

/** One of several limits that a call counts against. */
export interface LimitCounter {
  readonly name: string;
  readonly limit: Limit;
  readonly key: string;
}

/** Counts a call against all of these, or against none when one of them refuses it. */
export async function consumeAll(limits: RateLimits, counts: readonly LimitCounter[]): Promise<RateLimitResult> {
  for (const [at, { name, limit, key }] of counts.entries()) {
    const taken = await limits.consume(name, limit, key);
    if (taken.ok) continue;
    await restoreAll(limits, counts.slice(0, at));
    return taken;
  }
  return { ok: true };
}

/** Takes back one call that `takeAll` counted. */
export async function restoreAll(limits: RateLimits, counts: readonly LimitCounter[]): Promise<void> {
  for (const { name, limit, key } of counts) await limits.restore(name, limit, key);
}

export const noRateLimits: RateLimits = {
  consume: () => Promise.resolve({ ok: true }),
  reset: () => Promise.resolve(),
  restore: () => Promise.resolve(),
};

export function createRateLimits(pool: Pool): RateLimits {
  // The library reckons with numbers. Given the shop's bigint it fails, and takes that for a database that is down.
  const storeClient = {
    query: async (query: QueryConfig) => {
      const { rows, rowCount } = await pool.query<Record<string, unknown>>(query);
      return { rowCount, rows: rows.map((row) => ({ ...row, expire: Number(row['expire']) })) };
    },
  };
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterOf = (name: string, limit: Limit): RateLimiterAbstract => {
    const known = limiters.get(name);
    if (known) return known;
    const options = { keyPrefix: name, points: limit.points, duration: limit.seconds };
    // Should the database not answer, this process goes on counting by itself.
    const made = limit.isShared
      ? new RateLimiterPostgres({
          ...options,
          storeClient,
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
          insuranceLimiter: new RateLimiterMemory(options),
        })
      : new RateLimiterMemory(options);
    limiters.set(name, made);
    return made;
  };
  return {
    consume: async (name, limit, key) => {
      try {
        await limiterOf(name, limit).consume(key);
        return { ok: true };
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) };
      }
    },
    reset: async (name, limit, key) => {
      await limiterOf(name, limit).delete(key);
    },
    restore: async (name, limit, key) => {
      await limiterOf(name, limit).reward(key);
    },
  };
}
