/** What staff type in the form of a promotion, and the fields that it means. */
import { findFieldProblems } from '#src/shop/promotions/promotion-fields.ts';
import type { FieldProblems, PromotionFields } from '#src/shop/promotions/promotion-fields.ts';
import type { PromotionType } from '#src/shop/promotions/promotion.ts';
import { fromLocalDateTime } from './local-date-time.ts';

/** A date of the form: as stored, or as typed in the browser's time zone. */
export type FormDate = { readonly stored: string | null } | { readonly typed: string };

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
  value: stored.type === 'free_item' ? '' : String(stored.discount_value),
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

/** NaN, which every check refuses, unless it is a plain decimal number. */
const parseNumber = (text: string): number =>
  /^\d{1,9}(?:\.\d+)?$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
const parseOptional = (text: string): number | null => (text.trim() === '' ? null : parseNumber(text));

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
  const isGift = form.type === 'free_item';
  const [starts, ends] = [parseDate(form.starts), parseDate(form.ends)];
  const fields: PromotionFields = {
    code: form.code,
    type: form.type,
    discount_value: isGift ? 0 : parseNumber(form.value),
    gift_product_id: isGift ? (form.gift?.id ?? null) : null,
    starts_at: starts ?? null,
    ends_at: ends ?? null,
    minimum_subtotal_usd: parseOptional(form.minimum),
    max_uses: parseOptional(form.maxUses),
    max_uses_per_user: parseOptional(form.maxUsesPerUser),
    is_active: form.isActive,
    is_advertised: form.isAdvertised,
    position: parseNumber(form.position),
  };
  const problems: FieldProblems = {
    ...findFieldProblems(fields),
    ...(starts === undefined && { starts_at: 'Enter a date and time, or leave it empty' }),
    ...(ends === undefined && { ends_at: 'Enter a date and time, or leave it empty' }),
  };
  return { fields: Object.keys(problems).length === 0 ? fields : null, problems };
}
