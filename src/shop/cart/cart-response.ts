import { multiplyCents, multiplySats } from '#src/shop/money.ts';
import { getDiscountValue } from '#src/shop/promotions/promotion.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import { formatPromotionError } from '#src/shop/promotions/promotion-messages.ts';
import { allowsReverseCharge } from '#src/shop/tax/taxation.ts';
import { isEuCountry } from '#src/shop/tax/vat-number.ts';
import type { AssessedCart, AssessedLine } from './assess-cart.ts';
import type { Charges, ChargeTerms } from './price-charges.ts';

/** Converts a line to the API response; amounts stay in sats and cents. */
export const toCartItem = (line: AssessedLine) => ({
  product_id: line.productId,
  quantity: line.quantity,
  price_usd: line.priceCents,
  price_btc: line.priceSats,
  total_usd: multiplyCents(line.priceCents, line.quantity),
  total_btc: multiplySats(line.priceSats, line.quantity),
  max_quantity: line.maxQuantity,
  was_price_usd: (line.isFree ? null : line.reduction?.priorCents) ?? null,
  lowest_price_30_days_usd: (line.isFree ? null : line.reduction?.priorCents) ?? null,
  isFree: line.isFree,
  product: {
    name: line.name,
    slug: line.slug,
    sub_description: line.subDescription,
    main_image: line.mainImage,
    ...(line.energyClass !== undefined && { energy_class: line.energyClass }),
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

/** Converts shipping and tax to the API response. */
export const toDeliveryResponse = (
  { shipping, addedTax, deductedTax, tax, isDelivered, isWeightMissing, isTaxUnknown }: Charges,
  { tax: settings, buyer: { country } }: ChargeTerms,
) => ({
  country: country === '' ? null : country,
  is_delivered: isDelivered,
  is_weight_missing: isWeightMissing,
  shipping_usd: shipping?.cents ?? null,
  shipping_btc: shipping?.sats ?? null,
  tax: tax.isTaxed
    ? {
        name: tax.taxName,
        is_included: tax.priceMode === 'gross',
        is_reverse_charge: tax.isReverseCharge,
        total_usd: tax.taxCents,
        added_btc: addedTax.sats,
        deducted_usd: deductedTax.cents,
        deducted_btc: deductedTax.sats,
        rates: tax.rates.map((rate) => ({ basis_points: rate.rateBasisPoints, tax_usd: rate.taxCents })),
      }
    : null,
  unknown_tax: isTaxUnknown ? settings.taxName : null,
  accepts_vat_number: settings.hasReverseCharge && isEuCountry(country),
  allows_reverse_charge: allowsReverseCharge(settings, country),
  vat_number: tax.buyerVatNumber,
});

/** Converts a cart to the API response. */
export const toCartResponse = (
  cart: AssessedCart,
  suggested: Promotion | null,
  hasGuestCart: boolean,
  delivery: ReturnType<typeof toDeliveryResponse> | null = null,
) => ({
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
  delivery,
});
