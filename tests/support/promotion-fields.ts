/** Fields of a promotion as the form of staff sends them: 10 percent off, without conditions. */
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';

export const createPromotionFields = (changed: Partial<PromotionFields> = {}): PromotionFields => ({
  code: 'SPRING',
  type: 'fixed_percent',
  discount_value: 10,
  gift_product_id: null,
  starts_at: null,
  ends_at: null,
  minimum_subtotal_usd: null,
  max_uses: null,
  max_uses_per_user: null,
  is_active: true,
  is_advertised: true,
  position: 0,
  ...changed,
});
