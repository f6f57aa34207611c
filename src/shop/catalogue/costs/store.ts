/** What a unit of a variant costs the shop. Only for staff who may see figures. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents } from '#src/shop/money.ts';

export interface CostsState {
  /** 0: none was ever stored. */
  readonly version: number;
  readonly editedAt: Date | null;
  readonly editedBy: string | null;
}

export async function readCostsState(db: Db, productId: string): Promise<CostsState> {
  const { rows } = await sql<CostsState>`
    select version, edited_at as "editedAt", users.username as "editedBy"
    from product_costs left join users on users.id = edited_by where product_id = ${productId}
  `.execute(db);
  return rows[0] ?? { version: 0, editedAt: null, editedBy: null };
}

/** Known costs by variant id. */
export async function readCosts(db: Db, variantIds: readonly string[]): Promise<ReadonlyMap<string, Cents>> {
  if (variantIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; cost: Cents }>`
    select variant_id as id, cost_cents as cost from variant_costs where variant_id = any(${variantIds}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, cost }) => [id, cost]));
}

export interface VariantCost {
  readonly variantId: string;
  /** Null: unknown. */
  readonly costCents: Cents | null;
}

interface CostEdit {
  readonly at: Date;
  readonly userId: string | null;
}

/** Stores costs and the next version of each product. Call with the products locked. */
export async function writeCosts(tx: Db, costs: readonly VariantCost[], { at, userId }: CostEdit): Promise<void> {
  const ids = costs.map(({ variantId }) => variantId);
  const unknown = costs.filter(({ costCents }) => costCents === null).map(({ variantId }) => variantId);
  const known = costs.filter(({ costCents }) => costCents !== null);
  await sql`delete from variant_costs where variant_id = any(${unknown}::uuid[])`.execute(tx);
  await sql`
    insert into variant_costs (variant_id, cost_cents)
    select * from unnest(
      ${known.map(({ variantId }) => variantId)}::uuid[], ${known.map(({ costCents }) => String(costCents))}::bigint[]
    )
    on conflict (variant_id) do update set cost_cents = excluded.cost_cents
  `.execute(tx);
  await sql`
    insert into product_costs (product_id, version, edited_at, edited_by)
    select distinct product_id, 1, ${at}::timestamptz, ${userId}::uuid
    from product_variants where id = any(${ids}::uuid[])
    on conflict (product_id) do update set version = product_costs.version + 1, edited_at = excluded.edited_at,
      edited_by = excluded.edited_by
  `.execute(tx);
}
