/**
 * The types of promotions, with their texts on orders and in carts. Those of the promotions page are in
 * `promotion-messages.ts`, so that other pages don't load them.
 */
import { formatDollars } from '#src/shop/format-number.ts';

/** What a promotion gives: a share of the subtotal, an amount off it, or a product. */
export type PromotionKind = 'percent' | 'amount' | 'gift';

/** Beside a code. Values are in percent or US dollars. */
export const BENEFITS: Readonly<Record<PromotionKind, (value: number) => string>> = {
  percent: (value) => `${value}% off`,
  amount: (value) => `${formatDollars(value)} off`,
  gift: () => 'a free gift',
};

interface TypeRow {
  readonly kind: PromotionKind;
  /** On orders: its name, and details for some types. */
  readonly name: string;
  readonly detail?: (value: number) => string;
}

/** In the order of the API documents. */
const TYPES = {
  free_item: { kind: 'gift', name: 'Free item', detail: () => '· Free product included' },
  discount_percent: { kind: 'percent', name: 'Discount' },
  extra_discount: { kind: 'percent', name: 'Extra discount' },
  fixed_percent: { kind: 'percent', name: 'Fixed percent', detail: BENEFITS.percent },
  fixed_amount: { kind: 'amount', name: 'Fixed amount', detail: BENEFITS.amount },
} satisfies Readonly<Record<string, TypeRow>>;

export type PromotionType = keyof typeof TYPES;
export const PROMOTION_TYPES: Readonly<Record<PromotionType, TypeRow>> = TYPES;

const isPromotionType = (name: string): name is PromotionType => Object.hasOwn(TYPES, name);
export const listPromotionTypes = (): readonly PromotionType[] => Object.keys(TYPES).filter(isPromotionType);
