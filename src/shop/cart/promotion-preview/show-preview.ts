import type { AssessedCart, AssessedLine } from '../assess-cart.ts';
import { formatPromotionError } from '#src/shop/promotions/promotion-messages.ts';
import type { PromotionDraft } from '#src/shop/promotions/editing/promotion-fields.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';

const SAMPLE_ID = '00000000-0000-7000-8000-000000000000';

/** The promotion of a draft, as nobody has used it yet. */
export const toSamplePromotion = (draft: PromotionDraft): Promotion => ({
  ...draft,
  id: SAMPLE_ID,
  uses: 0,
  version: 1,
});

const showLine = (line: AssessedLine, hasRate: boolean) => ({
  product_id: line.productId,
  name: line.name,
  values: line.propertyValues.map(({ value }) => value),
  quantity: line.quantity,
  price_usd: line.priceCents,
  price_btc: hasRate ? line.priceSats : null,
  is_gift: line.isFree,
  notices: line.notices.map(({ message }) => message),
});

/** A sample cart with a promotion in API form, amounts in sats and cents. */
export function showPreview({ lines, totals, promotion, promotionProblem: problem }: AssessedCart, hasRate: boolean) {
  const minimum = promotion?.minimumSubtotalCents ?? null;
  const limits = {
    minimumUsd: minimum === null ? null : Number(minimum) / 100,
    maxUsesPerUser: promotion?.maxUsesPerUser ?? null,
  };
  return {
    lines: lines.map((line) => showLine(line, hasRate)),
    problem: promotion === null || problem === null ? null : formatPromotionError(promotion.code, problem, limits),
    subtotal_usd: totals.subtotalCents,
    subtotal_btc: hasRate ? totals.subtotalSats : null,
    discount_usd: totals.discountCents,
    discount_btc: hasRate ? totals.discountSats : null,
    discount_percent: totals.discountPercent,
    total_usd: totals.totalCents,
    total_btc: hasRate ? totals.totalSats : null,
  };
}
