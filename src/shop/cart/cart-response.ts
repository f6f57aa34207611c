import { multiplyCents, multiplySats } from '#src/shop/money.ts';
import { getDiscountValue } from '#src/shop/promotions/promotion.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import { formatPromotionError } from '#src/shop/promotions/promotion-messages.ts';
import type { AssessedCart, AssessedLine } from './assess-cart.ts';

/** Converts a line to the API response; amounts stay in sats and cents. */
export const toCartItem = (line: AssessedLine) => ({
  product_id: line.productId,
  quantity: line.quantity,
  price_usd: line.priceCents,
  price_btc: line.priceSats,
  total_usd: multiplyCents(line.priceCents, line.quantity),
  total_btc: multiplySats(line.priceSats, line.quantity),
  max_quantity: line.maxQuantity,
  was_price_usd: (line.isFree ? null : line.reduction?.wasCents) ?? null,
  lowest_price_30_days_usd: (line.isFree ? null : line.reduction?.lowestCents) ?? null,
  isFree: line.isFree,
  product: {
    name: line.name,
    slug: line.slug,
    sub_description: line.subDescription,
    main_image: line.mainImage,
  },
  property_value_ids: [...line.valueIds],
  sku: line.sku,
  notices: line.notices.map((notice) => ({
    code: notice.code,
    message: notice.message,
    available: notice.code === 'short' ? notice.available : null,
    was_usd: notice.code === 'repriced' ? notice.wasCents : null,
  })),
});

const toPromoCode = (promotion: Promotion | null) =>
  promotion && { code: promotion.code, type: promotion.type, discount_value: getDiscountValue(promotion) };

/** Why the promotion of the cart does not apply; null if it does, or if there is none. */
export function getPromoError({
  promotion,
  promotionProblem: problem,
}: Pick<AssessedCart, 'promotion' | 'promotionProblem'>): string | null {
  if (promotion === null || problem === null) return null;
  const { code, minimumSubtotalCents, maxUsesPerUser } = promotion;
  const minimumUsd = minimumSubtotalCents === null ? null : Number(minimumSubtotalCents) / 100;
  return formatPromotionError(code, problem, { minimumUsd, maxUsesPerUser });
}

/** Converts a cart to the API response. */
export const toCartResponse = (cart: AssessedCart, suggested: Promotion | null, hasGuestCart: boolean) => ({
  has_guest_cart: hasGuestCart,
  cart_items: cart.lines.map(toCartItem),
  appliedPromoCode: toPromoCode(cart.promotion),
  promoError: getPromoError(cart),
  totalCartValue: cart.totals.totalCents,
  totalBtcValue: cart.totals.totalSats,
  discount: cart.totals.discountPercent,
  suggestedPromo: toPromoCode(suggested),
  subtotal_usd: cart.totals.subtotalCents,
  subtotal_btc: cart.totals.subtotalSats,
  discount_usd: cart.totals.discountCents,
  discount_btc: cart.totals.discountSats,
});
