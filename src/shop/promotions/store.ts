import type { Db } from '#src/platform/database/database.ts';
import { cents } from '../money.ts';
import type { Promotion, PromotionType } from './promotion.ts';

interface PromotionsTable {
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
}

const centsOrNull = (amount: bigint | null) => (amount === null ? null : cents(amount));

/** Every promotion, running or not, in the order of the shop. */
export async function loadPromotions(db: Db): Promise<readonly Promotion[]> {
  const rows = await db
    .$extendTables<Record<'promotions', PromotionsTable>>()
    .selectFrom('promotions')
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    type: row.type,
    discountBasisPoints: row.discount_basis_points,
    discountCents: centsOrNull(row.discount_cents),
    giftProductId: row.gift_product_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    minimumSubtotalCents: centsOrNull(row.minimum_subtotal_cents),
    maxUses: row.max_uses,
    maxUsesPerUser: row.max_uses_per_user,
    uses: row.uses,
    isActive: row.is_active,
    isAdvertised: row.is_advertised,
  }));
}
