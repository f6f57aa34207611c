import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { StockLevels } from './plan-stock-change.ts';
import { recordCrossings } from './store.ts';

export interface RestatedStock {
  readonly variantId: string;
  readonly before: StockLevels;
  readonly after: StockLevels;
}

const isAvailable = ({ available }: StockLevels): boolean => available === null || available > 0;

/** Replaces what is available. Call with the stock locked. */
export async function replaceStock(tx: Db, restated: readonly RestatedStock[]): Promise<void> {
  const ended = restated.filter(({ after }) => after.available === null).map(({ variantId }) => variantId);
  const tracked = restated.filter(({ after }) => after.available !== null);
  if (ended.length > 0) await sql`delete from variant_stock where variant_id = any(${ended}::uuid[])`.execute(tx);
  if (tracked.length > 0) {
    await sql`
      insert into variant_stock (variant_id, available)
      select * from unnest(
        ${tracked.map(({ variantId }) => variantId)}::uuid[],
        ${tracked.map(({ after }) => after.available)}::integer[]
      )
      on conflict (variant_id) do update set available = excluded.available
    `.execute(tx);
  }
  const crossed = restated.filter(({ before, after }) => isAvailable(before) !== isAvailable(after));
  await recordCrossings(
    tx,
    crossed.map(({ variantId }) => variantId),
  );
}
