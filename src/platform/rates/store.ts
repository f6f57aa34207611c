/** Stores the last rate on which enough exchanges agreed, for all processes and the next start. */
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { ShownRate } from './display-rate.ts';

/** A rate on which enough exchanges agree. */
export interface ComputedRate {
  /** Before any spread. */
  readonly medianCents: bigint;
  /** The prices that it was computed from. */
  readonly quotes: readonly unknown[];
  readonly dropped: readonly unknown[];
  /** Shop time. */
  readonly at: Date;
}

export interface StoredRate extends ComputedRate, ShownRate {
  /** When it was received, by the clock of the database. Differs for each stored rate. */
  readonly receivedAt: Date;
  /** By the clock of the database, so that it is the same in all processes. Negative if that was set back. */
  readonly ageMs: number;
}

/** Stores the last good rate. */
export interface RateStore {
  read(): Promise<StoredRate | null>;
  /** Replaces the stored rate by one that was received now. Within `runWithFence` only the leader can. */
  write(rate: ComputedRate & ShownRate): Promise<void>;
}

export function createRateStore(db: Db): RateStore {
  return {
    async read() {
      const { rows } = await sql<
        Omit<StoredRate, 'quotes' | 'dropped'> & { evidence: Pick<StoredRate, 'quotes' | 'dropped'> }
      >`
        select median_cents as "medianCents", evidence, at, heard_at as "receivedAt",
          coalesce(shown_cents, median_cents) as "shownCents", coalesce(shown_at, at) as "shownAt",
          (extract(epoch from clock_timestamp() - heard_at) * 1000)::float8 as "ageMs"
        from last_rate
      `.execute(db);
      const [row] = rows;
      if (row === undefined) return null;
      const { evidence, ...rate } = row;
      return { ...rate, quotes: evidence.quotes, dropped: evidence.dropped };
    },
    write: ({ medianCents, quotes, dropped, at, shownCents, shownAt }) =>
      transact(db, async (tx) => {
        await sql`
          insert into last_rate (median_cents, evidence, at, heard_at, shown_cents, shown_at)
          values (${medianCents}, ${JSON.stringify({ quotes, dropped })}, ${at}, clock_timestamp(), ${shownCents}, ${shownAt})
          on conflict (only_row) do update set median_cents = excluded.median_cents, evidence = excluded.evidence,
            at = excluded.at, heard_at = excluded.heard_at, shown_cents = excluded.shown_cents,
            shown_at = excluded.shown_at
        `.execute(tx);
      }),
  };
}
