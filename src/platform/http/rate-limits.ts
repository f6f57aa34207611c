/** Rate limits. Shared limits are counted in the database, so that more processes do not allow more guesses. */
import type { Pool, QueryConfig } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

export interface Limit {
  /** Maximum calls per window. */
  readonly points: number;
  /** Length of the window. */
  readonly seconds: number;
  /** Counts by address, or by account (by address while signed out). */
  readonly by: 'ip' | 'caller';
  /** Counted in the database, across processes. */
  readonly isShared?: boolean;
}

export type RateLimitResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

export interface RateLimits {
  /** Counts one call. `name` identifies the limit, `key` the caller. */
  consume(name: string, limit: Limit, key: string): Promise<RateLimitResult>;
  /** Resets the count, such as after a successful login. */
  reset(name: string, limit: Limit, key: string): Promise<void>;
  /** Uncounts one call. */
  restore(name: string, limit: Limit, key: string): Promise<void>;
}

/** One of several limits that a call counts against. */
export interface LimitCounter {
  readonly name: string;
  readonly limit: Limit;
  readonly key: string;
}

/** Counts a call against all limits, or against none if one refuses it. */
export async function consumeAll(limits: RateLimits, counts: readonly LimitCounter[]): Promise<RateLimitResult> {
  for (const [at, { name, limit, key }] of counts.entries()) {
    const taken = await limits.consume(name, limit, key);
    if (taken.ok) continue;
    await restoreAll(limits, counts.slice(0, at));
    return taken;
  }
  return { ok: true };
}

/** Uncounts one call of `consumeAll`. */
export async function restoreAll(limits: RateLimits, counts: readonly LimitCounter[]): Promise<void> {
  for (const { name, limit, key } of counts) await limits.restore(name, limit, key);
}

export const noRateLimits: RateLimits = {
  consume: () => Promise.resolve({ ok: true }),
  reset: () => Promise.resolve(),
  restore: () => Promise.resolve(),
};

/**
 * End of the statement that counts. A count need not wait for the disk: a crash of the database loses
 * those of the last second only.
 */
const LAST_RETURNED = /RETURNING points, expire(?=;\s*$)/;

export function createRateLimits(pool: Pool): RateLimits {
  // Not `pool.query`, whose statements are not traced.
  const execute = async (text: string, values: readonly unknown[]) => {
    const client = await pool.connect();
    try {
      return await client.query<Record<string, unknown>>(text, [...values]);
    } finally {
      client.release();
    }
  };
  // The library computes with numbers. With the bigint of the pool it would fail as if the database were down.
  const storeClient = {
    query: async (query: QueryConfig) => {
      const text = query.text.replace(LAST_RETURNED, `$&, set_config('synchronous_commit', 'off', true)`);
      const { rows, rowCount } = await execute(text, query.values ?? []);
      return { rowCount, rows: rows.map((row) => ({ ...row, expire: Number(row['expire']) })) };
    },
  };
  const limiters = new Map<string, RateLimiterAbstract>();
  const getLimiter = (name: string, limit: Limit): RateLimiterAbstract => {
    const known = limiters.get(name);
    if (known) return known;
    const options = { keyPrefix: name, points: limit.points, duration: limit.seconds };
    // While the database is unreachable, this process counts in memory.
    const limiter = limit.isShared
      ? new RateLimiterPostgres({
          ...options,
          storeClient,
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
          insuranceLimiter: new RateLimiterMemory(options),
        })
      : new RateLimiterMemory(options);
    limiters.set(name, limiter);
    return limiter;
  };
  return {
    consume: async (name, limit, key) => {
      try {
        await getLimiter(name, limit).consume(key);
        return { ok: true };
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) };
      }
    },
    reset: async (name, limit, key) => {
      await getLimiter(name, limit).delete(key);
    },
    restore: async (name, limit, key) => {
      await getLimiter(name, limit).reward(key);
    },
  };
}
