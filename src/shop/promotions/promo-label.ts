import { BENEFITS, PROMOTION_TYPES } from './promotion-types.ts';
import type { PromotionType } from './promotion-types.ts';

interface AppliedCode {
  readonly type: PromotionType;
  /** Percent or US dollars, by its type. */
  readonly discount_value: number;
}

/** PROMO-05: name of an order's promotion, and its benefit for some types. */
export function formatPromoLabel(code: AppliedCode | null): { readonly name: string; readonly detail: string | null } {
  if (code === null) return { name: 'No promo applied', detail: null };
  const { name, detail } = PROMOTION_TYPES[code.type];
  return { name, detail: detail?.(code.discount_value) ?? null };
}

/** Short benefit of a code, shown beside the code field. */
export const formatPromoBenefit = ({ type, discount_value: value }: AppliedCode): string =>
  BENEFITS[PROMOTION_TYPES[type].kind](value);
