/** Inserts a promotion into a shop's database. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import type { PromotionType } from '#src/shop/promotions/promotion-types.ts';

export interface PromotionSketch {
  readonly code: string;
  /** Default: 10 percent off. */
  readonly type?: PromotionType;
  readonly basisPoints?: number;
  readonly cents?: number;
  readonly gift?: string;
  readonly minimumCents?: number;
  readonly maxUses?: number;
  readonly maxUsesPerUser?: number;
  readonly startsAt?: Date;
  readonly endsAt?: Date;
  readonly isAdvertised?: boolean;
}

/** Returns its id. Advertised promotions are suggested after a refresh of the promotions. */
export async function addPromotion(db: Db, one: PromotionSketch): Promise<string> {
  const id = uuidv7();
  const isPlain = one.type === undefined && one.basisPoints === undefined;
  const share = isPlain ? 1000 : (one.basisPoints ?? null);
  await sql`insert into promotions (id, code, type, discount_basis_points, discount_cents, gift_product_id,
      minimum_subtotal_cents, max_uses, max_uses_per_user, starts_at, ends_at, is_advertised)
    values (${id}, ${one.code}, ${one.type ?? 'fixed_percent'}, ${share}, ${one.cents ?? null}, ${one.gift ?? null},
      ${one.minimumCents ?? null}, ${one.maxUses ?? null}, ${one.maxUsesPerUser ?? null}, ${one.startsAt ?? null},
      ${one.endsAt ?? null}, ${one.isAdvertised ?? false})`.execute(db);
  return id;
}
