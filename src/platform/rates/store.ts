/** Stores the last rate on which enough exchanges agreed, for all processes and the next start. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface StoredRate {
  /** Before any spread. */
  readonly medianCents: bigint;
  /** The prices that it was computed from. */
  readonly quotes: readonly unknown[];
  readonly dropped: readonly unknown[];
  /** Shop time. */
  readonly at: Date;
  /** Machine time; used to compute the age. */
  readonly receivedAt: Date;
}

/** Stores the last good rate. */
export interface RateStore {
  read(): Promise<StoredRate | null>;
  /** Does nothing if a later rate is stored. */
  write(rate: StoredRate): Promise<void>;
}

export function createRateStore(db: Db): RateStore {
  return {
    async read() {
      const { rows } = await sql<
        Omit<StoredRate, 'quotes' | 'dropped'> & { evidence: Pick<StoredRate, 'quotes' | 'dropped'> }
      >`
        select median_cents as "medianCents", evidence, at, heard_at as "receivedAt" from last_rate
      `.execute(db);
      const [row] = rows;
      if (row === undefined) return null;
      const { evidence, ...rate } = row;
      return { ...rate, quotes: evidence.quotes, dropped: evidence.dropped };
    },
    async write({ medianCents, quotes, dropped, at, receivedAt }) {
      await sql`
        insert into last_rate (median_cents, evidence, at, heard_at)
        values (${medianCents}, ${JSON.stringify({ quotes, dropped })}, ${at}, ${receivedAt})
        on conflict (only_row) do update set median_cents = excluded.median_cents, evidence = excluded.evidence,
          at = excluded.at, heard_at = excluded.heard_at
        where last_rate.heard_at < excluded.heard_at
      `.execute(db);
    },
  };
}
