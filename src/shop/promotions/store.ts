import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '#src/shop/money.ts';
import type { Promotion } from './promotion.ts';
import type { PromotionType } from './promotion-types.ts';

export interface PromotionsTable {
  id: string;
  code: string;
  type: PromotionType;
  discount_basis_points: number | null;
  discount_cents: bigint | null;
  gift_product_id: string | null;
  starts_at: Date | null;
  ends_at: Date | null;
  minimum_subtotal_cents: bigint | null;
  max_uses: number | null;
  max_uses_per_user: number | null;
  uses: number;
  is_active: boolean;
  is_advertised: boolean;
  position: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  first_used_at: Date | null;
}

const toCents = (amount: bigint | null) => (amount === null ? null : cents(amount));

interface UsesTable {
  order_id: string;
  promotion_id: string;
  user_id: string;
  used_at: Date;
}

export const tables = (db: Db) => db.$extendTables<{ promotions: PromotionsTable; promotion_uses: UsesTable }>();

export const toPromotion = (row: Selectable<PromotionsTable>): Promotion => ({
  id: row.id,
  code: row.code,
  type: row.type,
  discountBasisPoints: row.discount_basis_points,
  discountCents: toCents(row.discount_cents),
  giftProductId: row.gift_product_id,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  minimumSubtotalCents: toCents(row.minimum_subtotal_cents),
  maxUses: row.max_uses,
  maxUsesPerUser: row.max_uses_per_user,
  uses: row.uses,
  isActive: row.is_active,
  isAdvertised: row.is_advertised,
  version: row.version,
});

/** The advertised promotions that are not disabled, in display order. */
export async function loadAdvertised(db: Db): Promise<readonly Promotion[]> {
  const rows = tables(db)
    .selectFrom('promotions')
    .selectAll()
    .where('is_advertised', '=', true)
    .where('is_active', '=', true)
    .orderBy('position')
    .orderBy('id');
  return (await rows.execute()).map(toPromotion);
}

export async function findPromotion(
  db: Db,
  by: { readonly id: string } | { readonly code: string },
): Promise<Promotion | null> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['code', by.code] as const);
  const row = await tables(db).selectFrom('promotions').selectAll().where(column, '=', value).executeTakeFirst();
  return row ? toPromotion(row) : null;
}

// ---- uses

/** Uses by a user, without those of cancelled or expired orders. */
export async function countUses(db: Db, promotionId: string, userId: string): Promise<number> {
  const { rows } = await sql<{ uses: number }>`
    select count(*)::integer as uses from promotion_uses where promotion_id = ${promotionId} and user_id = ${userId}
  `.execute(db);
  return rows[0]?.uses ?? 0;
}

export async function hasUse(db: Db, promotionId: string, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    select from promotion_uses where promotion_id = ${promotionId} and order_id = ${orderId}
  `.execute(db);
  return rows.length > 0;
}

/**
 * Counts one more use if one is left and, for the first redemption, if the promotion runs at that
 * time and still has that version. The row stays locked until the transaction ends, so concurrent
 * calls are serialized. Null if nothing was counted.
 */
export async function incrementUses(
  tx: Db,
  promotionId: string,
  at: Date,
  firstVersion: number | null,
): Promise<{ readonly maxUsesPerUser: number | null } | null> {
  const isRunning = sql`is_active and coalesce(starts_at <= ${at}, true) and coalesce(ends_at > ${at}, true)
    and version = ${firstVersion}`;
  const { rows } = await sql<{ maxUsesPerUser: number | null }>`
    update promotions set uses = uses + 1, first_used_at = coalesce(first_used_at, ${at})
    where id = ${promotionId} and (max_uses is null or uses < max_uses) and ${firstVersion === null ? sql`true` : isRunning}
    returning max_uses_per_user as "maxUsesPerUser"
  `.execute(tx);
  return rows[0] ?? null;
}

export async function decrementUses(tx: Db, promotionId: string): Promise<void> {
  await sql`update promotions set uses = uses - 1 where id = ${promotionId}`.execute(tx);
}

export async function insertUse(
  tx: Db,
  use: { readonly promotionId: string; readonly orderId: string; readonly userId: string; readonly at: Date },
): Promise<void> {
  const row = { order_id: use.orderId, promotion_id: use.promotionId, user_id: use.userId, used_at: use.at };
  await tables(tx).insertInto('promotion_uses').values(row).execute();
}

/** Restores the uses of orders. Idempotent. */
export async function deleteUses(tx: Db, orderIds: readonly string[]): Promise<void> {
  await sql`
    with given as (delete from promotion_uses where order_id = any(${orderIds}::uuid[]) returning promotion_id),
      counted as (select promotion_id, count(*)::integer as uses from given group by promotion_id)
    update promotions set uses = promotions.uses - counted.uses
    from counted where promotions.id = counted.promotion_id
  `.execute(tx);
}

export async function countLimitedUses(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await tables(db)
    .selectFrom('promotions')
    .select(['id', 'uses'])
    .where('max_uses', 'is not', null)
    .where('is_advertised', '=', true)
    .where('is_active', '=', true)
    .execute();
  return new Map(rows.map(({ id, uses }) => [id, uses]));
}
