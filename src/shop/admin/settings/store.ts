import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Whether an order was ever paid. */
export async function hasPaidOrder(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (select from orders where paid_at is not null) as "isThere"
  `.execute(db);
  return rows[0]?.isThere === true;
}

export interface PartState {
  readonly part: string;
  readonly isOk: boolean;
  readonly state: string;
  /** When it began, if that is known from what is stored; otherwise it counts from now on. */
  readonly since: Date;
}

/** Records which parts work. A part that goes on as before keeps its time. @returns whether one began to work or fail */
export async function recordPartStates(db: Db, parts: readonly PartState[]): Promise<boolean> {
  const { rows } = await sql`
    insert into part_states (part, is_ok, state, since)
    select one ->> 'part', (one ->> 'isOk')::boolean, one ->> 'state', (one ->> 'since')::timestamptz
    from jsonb_array_elements(${JSON.stringify(parts)}::jsonb) one order by 1
    on conflict (part) do update set is_ok = excluded.is_ok, state = excluded.state, since = excluded.since
    where part_states.is_ok <> excluded.is_ok
    returning part
  `.execute(db);
  return rows.length > 0;
}

/** Since when each part works or fails. */
export type PartStates = ReadonlyMap<string, { readonly isOk: boolean; readonly since: Date }>;

export async function readPartStates(db: Db): Promise<PartStates> {
  const { rows } = await sql<{ part: string; isOk: boolean; since: Date }>`
    select part, is_ok as "isOk", since from part_states
  `.execute(db);
  return new Map(rows.map(({ part, isOk, since }) => [part, { isOk, since }]));
}
