import { computeVariantPriceCents } from '#src/shop/catalogue/products/unit-price.ts';
import { chooseVariant } from '#src/shop/catalogue/products/variants.ts';
import { cents, NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { findPromotionProblem } from '#src/shop/promotions/promotion.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import { applyDiscount, getDiscount } from '#src/shop/promotions/apply-discount.ts';
import { createGiftLine } from './assess-cart.ts';
import type { AssessedCart, CartContext } from './assess-cart.ts';

/** Price of the gift with its first values. */
function computeGiftValue(productId: string, { findProduct }: CartContext): Cents {
  const product = findProduct(productId);
  const choice = product && chooseVariant(product);
  return product && choice?.ok ? computeVariantPriceCents(product, choice) : NO_CENTS;
}

function computeSaving(promotion: Promotion, { totals, lines }: AssessedCart, context: CartContext): Cents {
  const { giftProductId } = promotion;
  const paidLines = lines.filter(({ isFree }) => !isFree);
  const isGiftAvailable = giftProductId !== null && createGiftLine(giftProductId, paidLines, context) !== null;
  const claim = { now: context.now, subtotalCents: totals.subtotalCents, usesByBuyer: null, isGiftAvailable };
  if (findPromotionProblem(promotion, claim) !== null) return NO_CENTS;
  if (giftProductId !== null) return computeGiftValue(giftProductId, context);
  const { subtotalCents, subtotalSats } = totals;
  const { totalCents } = applyDiscount({ cents: subtotalCents, sats: subtotalSats }, getDiscount(promotion));
  return cents(subtotalCents - totalCents);
}

/** Promotions that would save more than the applied one, best first. */
export function suggestPromotions(
  promotions: readonly Promotion[],
  cart: AssessedCart,
  context: CartContext,
): readonly Promotion[] {
  if (cart.totals.subtotalCents === 0n) return [];
  const applied = cart.promotion !== null && cart.promotionProblem === null ? cart.promotion : null;
  const least = applied === null ? NO_CENTS : computeSaving(applied, cart, context);
  return promotions
    .filter(({ id }) => id !== cart.promotion?.id)
    .map((promotion) => ({ promotion, saving: computeSaving(promotion, cart, context) }))
    .filter(({ saving }) => saving > least)
    .toSorted((a, b) => Number(b.saving - a.saving))
    .map(({ promotion }) => promotion);
}
