/** Daily quote counts, and shortened payment windows. */
import { sql } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { QuoteHolder } from './reservation-limits.ts';

export interface QuoteToCount {
  readonly holder: QuoteHolder;
  readonly now: Date;
  readonly dayAgo: Date;
  readonly userLimit: number;
  /** For orders of staff: per member. */
  readonly networkLimit: number;
}

function listKeys({ holder }: Pick<QuoteToCount, 'holder'>): string[] {
  if (holder.kind === 'staff') return [`staff:${holder.userId}`];
  return [`user:${holder.userId}`, ...(holder.network === null ? [] : [`network:${holder.network}`])];
}

interface CountedKeys extends Omit<QuoteToCount, 'holder'> {
  readonly keys: readonly string[];
  readonly userId: string;
}

const insertOrCount = compileOnce(
  (_db, of: CountedKeys) => sql<{ counted: number; confirmed: boolean | null }>`
    with counted as (
      insert into quote_counts as known (counted, quotes, began)
      select counted, 1, ${of.now}::timestamptz from unnest(${of.keys}::text[]) with ordinality as asked (counted, place)
      order by place
      on conflict (counted) do update set
        quotes = case when known.began <= ${of.dayAgo} then 1 else known.quotes + 1 end,
        began = case when known.began <= ${of.dayAgo} then excluded.began else known.began end
      where known.began <= ${of.dayAgo}
        or known.quotes < case when known.counted like 'user:%' then ${of.userLimit}::integer else ${of.networkLimit}::integer end
      returning 1
    )
    select (select count(*)::integer from counted) as counted,
      (select email_confirmed_at is not null from users where id = ${of.userId}) as confirmed
  `,
);

/**
 * Counts a quote for its account and its network, unless a limit is reached. Locks both rows until
 * the end of the transaction, the account's first.
 */
export async function countQuote(
  tx: Db,
  quote: QuoteToCount,
): Promise<{ readonly isWithin: boolean; readonly isEmailConfirmed: boolean }> {
  const keys = listKeys(quote);
  const { rows } = await insertOrCount(tx, { ...quote, keys, userId: quote.holder.userId });
  const [row] = rows;
  return { isWithin: row?.counted === keys.length, isEmailConfirmed: row?.confirmed === true };
}

/** Start of the full count's day; call it after `countQuote` refused. */
export async function findFullCountStart(tx: Db, quote: QuoteToCount): Promise<Date | null> {
  const { rows } = await sql<{ began: Date }>`
    select began from quote_counts where counted = any(${listKeys(quote)}::text[])
      and quotes >= case when counted like 'user:%' then ${quote.userLimit}::integer else ${quote.networkLimit}::integer end
    order by began desc limit 1
  `.execute(tx);
  return rows[0]?.began ?? null;
}

export async function deleteOldCounts(db: Db, before: Date): Promise<void> {
  await sql`delete from quote_counts where began <= ${before}`.execute(db);
}

/** Shortens the window of an open order, until most of its amount is seen. */
export async function shortenWindow(
  tx: Db,
  orderId: string,
  window: { readonly expires_at: Date; readonly full_expires_at: Date },
): Promise<void> {
  await sql`update orders set expires_at = ${window.expires_at}, full_expires_at = ${window.full_expires_at}
    where id = ${orderId} and is_open`.execute(tx);
}
