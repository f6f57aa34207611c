/** Reads the orders that used a promotion. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents } from '#src/shop/money.ts';
import { listPromotionTypes, PROMOTION_TYPES } from '../promotion-types.ts';

export interface PromotionUseRow {
  readonly orderId: string;
  readonly number: bigint;
  readonly usedAt: Date;
  readonly username: string;
  readonly discount: Cents;
  readonly gift: string | null;
}

/** Newest first. */
export async function listUses(
  db: Db,
  promotionId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly PromotionUseRow[]> {
  const { rows } = await sql<PromotionUseRow>`
    select use.order_id as "orderId", orders.number, use.used_at as "usedAt", users.username,
      orders.discount_cents as discount,
      (select line.name from order_lines line where line.order_id = orders.id and line.is_free limit 1) as gift
    from (select order_id, used_at, user_id from promotion_uses where promotion_id = ${promotionId}
      order by used_at desc, order_id desc limit ${limit} offset ${offset}) use
    join orders on orders.id = use.order_id join users on users.id = use.user_id
    order by use.used_at desc, use.order_id desc
  `.execute(db);
  return rows;
}

const GIFT_TYPES = listPromotionTypes().filter((type) => PROMOTION_TYPES[type].kind === 'gift');

export interface UseTotals {
  readonly uses: number;
  readonly given: Cents;
  readonly gifts: number;
}

export async function sumUses(db: Db, promotionId: string): Promise<UseTotals> {
  const { rows } = await sql<UseTotals>`
    select count(*)::integer as uses,
      coalesce(sum(orders.discount_cents), 0)::bigint as given,
      (count(*) filter (where orders.promo ->> 'type' = any(${GIFT_TYPES}::text[])))::integer as gifts
    from promotion_uses use join orders on orders.id = use.order_id
    where use.promotion_id = ${promotionId}
  `.execute(db);
  const [totals] = rows;
  if (totals === undefined) throw new Error('an aggregate has no row');
  return totals;
}
