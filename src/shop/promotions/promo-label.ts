import type { PromotionType } from './promotion.ts';

interface AppliedCode {
  readonly type: PromotionType;
  /** Percent, or US dollars for fixed_amount. */
  readonly discount_value: number;
}

/** Dollars with cents only where there are some, as in '$50 off'. */
export const formatDollars = (amount: number): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2 })}`;

/** PROMO-05: how the promotion of an order is shown: what it is, and what it gives where that is told. */
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

/** What a code gives, in few words, beside the place where it is entered. */
export function formatPromoBenefit({ type, discount_value: value }: AppliedCode): string {
  if (type === 'free_item') return 'a free gift';
  return type === 'fixed_amount' ? `${formatDollars(value)} off` : `${value}% off`;
}
