/** What staff type in the form of a promotion, and the fields that it means. */
import { parseAmount } from '#src/shop/parse-amount.ts';
import type { AmountRules } from '#src/shop/parse-amount.ts';
import { findFieldProblems } from '#src/shop/promotions/editing/promotion-fields.ts';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import type { FieldProblems } from '#src/shop/promotions/editing/promotion-fields.ts';
import { PROMOTION_TYPES } from '#src/shop/promotions/promotion-types.ts';
import type { PromotionKind, PromotionType } from '#src/shop/promotions/promotion-types.ts';
import { fromLocalDateTime } from './local-date-time.ts';

/** A date of the form: as stored, or as typed in the browser's time zone. */
export type FormDate = { readonly stored: string | null } | { readonly typed: string };

const DOLLARS = { decimals: 2, unit: '$' } as const;
const PERCENT = { decimals: 2, unit: '%' } as const;

interface FormKind {
  /** Of new promotions. The API and orders have three types of a percentage, which give the same discount. */
  readonly type: PromotionType;
  readonly title: string;
  /** Its field; null: it has no value. */
  readonly value: { readonly label: string; readonly rules: AmountRules } | null;
  /** A product is chosen. */
  readonly hasGift?: true;
}

const KINDS: Readonly<Record<PromotionKind, FormKind>> = {
  percent: {
    type: 'fixed_percent',
    title: 'Percentage off',
    value: { label: 'Discount in percent', rules: PERCENT },
  },
  amount: {
    type: 'fixed_amount',
    title: 'Amount off in dollars',
    value: { label: 'Discount in dollars', rules: DOLLARS },
  },
  gift: { type: 'free_item', title: 'Free gift', value: null, hasGift: true },
};

/** What the form offers. */
export const FORM_KINDS: readonly FormKind[] = Object.values(KINDS);

export const getFormKind = (type: PromotionType): FormKind => KINDS[PROMOTION_TYPES[type].kind];

/** The type of a promotion of this kind. A stored one keeps its type, whose name is on orders. */
export const chooseType = (type: PromotionType, chosen: string): PromotionType =>
  getFormKind(type).type === chosen ? type : (FORM_KINDS.find((one) => one.type === chosen)?.type ?? type);

interface GiftProduct {
  readonly id: string;
  readonly name: string;
}

export interface PromotionForm {
  readonly code: string;
  readonly type: PromotionType;
  readonly value: string;
  readonly gift: GiftProduct | null;
  readonly starts: FormDate;
  readonly ends: FormDate;
  readonly minimum: string;
  readonly maxUses: string;
  readonly maxUsesPerUser: string;
  readonly isActive: boolean;
  readonly isAdvertised: boolean;
  readonly position: string;
}

export const EMPTY_FORM: PromotionForm = {
  code: '',
  type: 'fixed_percent',
  value: '',
  gift: null,
  starts: { stored: null },
  ends: { stored: null },
  minimum: '',
  maxUses: '',
  maxUsesPerUser: '',
  isActive: true,
  isAdvertised: false,
  position: '0',
};

/** A stored promotion in API form. */
type StoredFields = Omit<PromotionFields, 'gift_product_id'> & { readonly gift_product: GiftProduct | null };

const formatCount = (value: number | null): string => (value === null ? '' : String(value));

export const toPromotionForm = (stored: StoredFields): PromotionForm => ({
  code: stored.code,
  type: stored.type,
  value: getFormKind(stored.type).value === null ? '' : String(stored.discount_value),
  gift: stored.gift_product && { id: stored.gift_product.id, name: stored.gift_product.name },
  starts: { stored: stored.starts_at },
  ends: { stored: stored.ends_at },
  minimum: formatCount(stored.minimum_subtotal_usd),
  maxUses: formatCount(stored.max_uses),
  maxUsesPerUser: formatCount(stored.max_uses_per_user),
  isActive: stored.is_active,
  isAdvertised: stored.is_advertised,
  position: String(stored.position),
});

type NumberField = 'discount_value' | 'minimum_subtotal_usd' | 'max_uses' | 'max_uses_per_user' | 'position';

/** Reads numbers and collects how to write those that are unclear. */
class NumberReader {
  readonly #advice: Partial<Record<NumberField, string>> = {};

  get advice(): FieldProblems {
    return this.#advice;
  }

  /** NaN, which every check refuses, unless it is a number. */
  read(field: NumberField, text: string, rules: AmountRules): number {
    const parsed = parseAmount(text, rules);
    if (!parsed.ok && parsed.advice !== null) this.#advice[field] = parsed.advice;
    const isNumber = parsed.ok && parsed.units < 10n ** 11n;
    return isNumber ? Number(parsed.units) / 10 ** rules.decimals : Number.NaN;
  }

  readOptional(field: NumberField, text: string, rules: AmountRules): number | null {
    return text.trim() === '' ? null : this.read(field, text, rules);
  }
}

const COUNT = { decimals: 0 } as const;

function parseDate(date: FormDate): string | null | undefined {
  if ('stored' in date) return date.stored;
  return date.typed === '' ? null : (fromLocalDateTime(date.typed) ?? undefined);
}

interface ParsedForm {
  /** Null if there are problems. */
  readonly fields: PromotionFields | null;
  readonly problems: FieldProblems;
}

export function parsePromotionForm(form: PromotionForm): ParsedForm {
  const { value, hasGift } = getFormKind(form.type);
  const numbers = new NumberReader();
  const [starts, ends] = [parseDate(form.starts), parseDate(form.ends)];
  const fields: PromotionFields = {
    code: form.code,
    type: form.type,
    discount_value: value === null ? 0 : numbers.read('discount_value', form.value, value.rules),
    gift_product_id: hasGift ? (form.gift?.id ?? null) : null,
    starts_at: starts ?? null,
    ends_at: ends ?? null,
    minimum_subtotal_usd: numbers.readOptional('minimum_subtotal_usd', form.minimum, DOLLARS),
    max_uses: numbers.readOptional('max_uses', form.maxUses, COUNT),
    max_uses_per_user: numbers.readOptional('max_uses_per_user', form.maxUsesPerUser, COUNT),
    is_active: form.isActive,
    is_advertised: form.isAdvertised,
    position: numbers.read('position', form.position, COUNT),
  };
  const problems: FieldProblems = {
    ...findFieldProblems(fields),
    ...numbers.advice,
    ...(starts === undefined && { starts_at: 'Enter a date and time, or leave it empty' }),
    ...(ends === undefined && { ends_at: 'Enter a date and time, or leave it empty' }),
  };
  return { fields: Object.keys(problems).length === 0 ? fields : null, problems };
}
