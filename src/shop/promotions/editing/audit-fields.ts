import type { AuditFields } from '#src/shop/audit-log/changed-fields.ts';
import type { Promotion } from '../promotion.ts';

/** A promotion as audit entries show it. */
export const toAuditFields = (promotion: Promotion): AuditFields => ({
  code: promotion.code,
  type: promotion.type,
  discount_basis_points: promotion.discountBasisPoints,
  discount_cents: promotion.discountCents,
  gift_product_id: promotion.giftProductId,
  starts_at: promotion.startsAt,
  ends_at: promotion.endsAt,
  minimum_subtotal_cents: promotion.minimumSubtotalCents,
  max_uses: promotion.maxUses,
  max_uses_per_user: promotion.maxUsesPerUser,
  is_active: promotion.isActive,
  is_advertised: promotion.isAdvertised,
});
