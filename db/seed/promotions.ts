import { sql } from 'kysely';
import { v7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';

const GIFT_SLUG = 'airtag';

/** One promotion of each type, without expiry or limit. */
export const demoPromotions = [
  { code: 'WELCOME10', type: 'discount_percent', discount_basis_points: 1000 },
  { code: 'GIFT', type: 'free_item', gift_slug: GIFT_SLUG },
  { code: 'MINUS50', type: 'fixed_amount', discount_cents: 5000 },
  { code: 'SPRING15', type: 'fixed_percent', discount_basis_points: 1500 },
  { code: 'EXTRA5', type: 'extra_discount', discount_basis_points: 500 },
] as const;

/** Inserts the demo promotions unless there are some. Call it after the products. */
export async function seedPromotions(db: Db, now: Date): Promise<void> {
  const rows = demoPromotions.map((promotion, position) => ({
    id: v7(),
    position,
    created_at: now.toISOString(),
    ...promotion,
  }));
  await transact(db, async (trx) => {
    await sql`lock table promotions in share row exclusive mode`.execute(trx);
    await sql`
      insert into promotions (id, code, type, discount_basis_points, discount_cents, gift_product_id,
        is_advertised, position, created_at)
      select r.id, r.code, r.type, r.discount_basis_points, r.discount_cents,
        (select id from products where slug = r.gift_slug), true, r.position, r.created_at
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, code text, type text,
        discount_basis_points integer, discount_cents bigint, gift_slug text, position integer, created_at timestamptz)
      where not exists (select from promotions)
    `.execute(trx);
  });
}
