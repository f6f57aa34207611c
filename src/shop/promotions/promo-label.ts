import { formatDollars } from '#src/shop/format-number.ts';
import type { PromotionType } from './promotion.ts';

interface AppliedCode {
  readonly type: PromotionType;
  /** Percent; US dollars for fixed_amount. */
  readonly discount_value: number;
}

/** PROMO-05: name of an order's promotion, and its benefit for some types. */
export function formatPromoLabel(code: AppliedCode | null): { readonly name: string; readonly detail: string | null } {
  if (code === null) return { name: 'No promo applied', detail: null };
  const { type, discount_value: value } = code;
  switch (type) {
    case 'free_item':
      return { name: 'Free item', detail: '· Free product included' };
    case 'discount_percent':
      return { name: 'Discount', detail: null };
    case 'extra_discount':
      return { name: 'Extra discount', detail: null };
    case 'fixed_amount':
      return { name: 'Fixed amount', detail: `${formatDollars(value)} off` };
    case 'fixed_percent':
      return { name: 'Fixed percent', detail: `${value}% off` };
    default:
      return type satisfies never;
  }
}

/** Short benefit of a code, shown beside the code field. */
export function formatPromoBenefit({ type, discount_value: value }: AppliedCode): string {
  if (type === 'free_item') return 'a free gift';
  return type === 'fixed_amount' ? `${formatDollars(value)} off` : `${value}% off`;
}
