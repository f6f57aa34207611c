import { unitPriceCents } from '#src/shop/catalogue/products/unit-price.ts';
import { chooseValues } from '#src/shop/catalogue/products/choose-values.ts';
import { cents, NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { discountOf, promotionProblem } from '#src/shop/promotions/promotion.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import { takeOff } from '#src/shop/promotions/take-off.ts';
import { giftLine } from './assess-cart.ts';
import type { AssessedCart, Surroundings } from './assess-cart.ts';

/** What a gift would cost if it were bought, in its first values. */
function worthOf(productId: string, { productOf }: Surroundings): Cents {
  const product = productOf(productId);
  const choice = product && chooseValues(product.offered);
  return product && choice?.ok ? unitPriceCents(product.basePriceCents, choice.values) : NO_CENTS;
}

function savingOf(promotion: Promotion, { totals, lines }: AssessedCart, around: Surroundings): Cents {
  const { giftProductId } = promotion;
  const taken = lines.filter(({ productId, isFree }) => productId === giftProductId && !isFree);
  const pieces = taken.reduce((sum, { quantity }) => sum + quantity, 0);
  const isGiftThere = giftProductId !== null && giftLine(giftProductId, pieces, around) !== null;
  const claim = { now: around.now, subtotalCents: totals.subtotalCents, usesByBuyer: null, isGiftThere };
  if (promotionProblem(promotion, claim) !== null) return NO_CENTS;
  if (giftProductId !== null) return worthOf(giftProductId, around);
  const { subtotalCents, subtotalSats } = totals;
  const { totalCents } = takeOff({ cents: subtotalCents, sats: subtotalSats }, discountOf(promotion));
  return cents(subtotalCents - totalCents);
}

/** Those of the promotions that would save the buyer more than the applied one does, the best first. */
export function suggestPromotions(
  promotions: readonly Promotion[],
  cart: AssessedCart,
  around: Surroundings,
): readonly Promotion[] {
  if (cart.totals.subtotalCents === 0n) return [];
  const applied = cart.promotion !== null && cart.promotionProblem === null ? cart.promotion : null;
  const least = applied === null ? NO_CENTS : savingOf(applied, cart, around);
  return promotions
    .filter(({ id }) => id !== cart.promotion?.id)
    .map((promotion) => ({ promotion, saving: savingOf(promotion, cart, around) }))
    .filter(({ saving }) => saving > least)
    .toSorted((a, b) => Number(b.saving - a.saving))
    .map(({ promotion }) => promotion);
}
