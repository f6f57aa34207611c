import { cents } from '#src/shop/money.ts';
import { normaliseCode } from '../promotion.ts';
import type { Promotion } from '../promotion.ts';
import { PROMOTION_TYPES } from '../promotion-types.ts';
import type { PromotionKind } from '../promotion-types.ts';
import type { PromotionFields } from './contract.ts';

/** What staff decide about a promotion. */
export type PromotionDraft = Omit<Promotion, 'id' | 'uses' | 'version'> & { readonly position: number };

const MAX_AMOUNT_USD = 1_000_000;
const MAX_USES = 1_000_000;
const MAX_POSITION = 9999;
const [FIRST_YEAR, LAST_YEAR] = [2000, 2100];
const CODE = /^[A-Z0-9][A-Z0-9_-]{1,39}$/;

/** Messages by field. */
export type FieldProblems = Readonly<Partial<Record<keyof PromotionFields, string>>>;

const isHundredths = (value: number): boolean => Math.abs(Math.round(value * 100) - value * 100) < 1e-6;
const isAmount = (value: number): boolean => value >= 0.01 && value <= MAX_AMOUNT_USD && isHundredths(value);
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= MAX_USES;

function isDate(written: string): boolean {
  const year = new Date(written).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

const AMOUNT = 'Enter an amount from 0.01 to 1,000,000 dollars with at most two decimals';
const COUNT = 'Enter a whole number from 1 to 1,000,000, or leave it empty';
const DATE = `Enter a date between ${FIRST_YEAR} and ${LAST_YEAR}`;

const isPercentage = (value: number): boolean => value >= 0.01 && value <= 100 && isHundredths(value);

/** Null: a value that the kind may have. */
const VALUE_PROBLEMS: Readonly<Record<PromotionKind, (value: number) => string | null>> = {
  percent: (value) => (isPercentage(value) ? null : 'Enter a percentage from 0.01 to 100 with at most two decimals'),
  amount: (value) => (isAmount(value) ? null : AMOUNT),
  gift: (value) => (value === 0 ? null : 'A gift has no discount'),
};

function findValueProblems({ type, discount_value: value, gift_product_id: gift }: PromotionFields): FieldProblems {
  const { kind } = PROMOTION_TYPES[type];
  if (kind === 'gift' && gift === null) return { gift_product_id: 'Choose the gift product' };
  const problem = VALUE_PROBLEMS[kind](value);
  return {
    ...(kind !== 'gift' && gift !== null && { gift_product_id: 'Only the type "Free gift" has a gift product' }),
    ...(problem !== null && { discount_value: problem }),
  };
}

function findDateProblems({ starts_at: start, ends_at: end }: PromotionFields): FieldProblems {
  if (start !== null && !isDate(start)) return { starts_at: DATE };
  if (end !== null && !isDate(end)) return { ends_at: DATE };
  const isEmpty = start !== null && end !== null && Date.parse(end) <= Date.parse(start);
  return isEmpty ? { ends_at: 'The end must be after the start' } : {};
}

/** Everything that the fields alone show to be wrong. The database has the same checks. */
export function findFieldProblems(fields: PromotionFields): FieldProblems {
  const { minimum_subtotal_usd: minimum, max_uses: maxUses, max_uses_per_user: perUser, position } = fields;
  const isPosition = Number.isInteger(position) && position >= 0 && position <= MAX_POSITION;
  return {
    ...(!CODE.test(normaliseCode(fields.code)) && {
      code: 'Use 2 to 40 letters A to Z, digits, hyphens or underscores, starting with a letter or digit',
    }),
    ...findValueProblems(fields),
    ...findDateProblems(fields),
    ...(minimum !== null && !isAmount(minimum) && { minimum_subtotal_usd: AMOUNT }),
    ...(maxUses !== null && !isCount(maxUses) && { max_uses: COUNT }),
    ...(perUser !== null && !isCount(perUser) && { max_uses_per_user: COUNT }),
    ...(!isPosition && { position: `Enter a whole number from 0 to ${MAX_POSITION}` }),
  };
}

const toCents = (usd: number) => cents(BigInt(Math.round(usd * 100)));
const toDate = (written: string | null) => (written === null ? null : new Date(written));

/** @param fields without problems */
export function toPromotionDraft(fields: PromotionFields): PromotionDraft {
  const { type, discount_value: value, minimum_subtotal_usd: minimum } = fields;
  const { kind } = PROMOTION_TYPES[type];
  return {
    code: normaliseCode(fields.code),
    type,
    discountBasisPoints: kind === 'percent' ? Math.round(value * 100) : null,
    discountCents: kind === 'amount' ? toCents(value) : null,
    giftProductId: fields.gift_product_id,
    startsAt: toDate(fields.starts_at),
    endsAt: toDate(fields.ends_at),
    minimumSubtotalCents: minimum === null ? null : toCents(minimum),
    maxUses: fields.max_uses,
    maxUsesPerUser: fields.max_uses_per_user,
    isActive: fields.is_active,
    isAdvertised: fields.is_advertised,
    position: fields.position,
  };
}

/** Present uses of a promotion. */
export interface PresentUses {
  readonly total: number;
  /** Uses by the user who used it most. */
  readonly mostByUser: number;
}

/** A limit below the present uses. */
export function findLimitProblems(
  { maxUses, maxUsesPerUser }: Pick<PromotionDraft, 'maxUses' | 'maxUsesPerUser'>,
  { total, mostByUser }: PresentUses,
): FieldProblems {
  return {
    ...(maxUses !== null &&
      maxUses < total && { max_uses: `It has been used ${total} times. Enter at least ${total}` }),
    ...(maxUsesPerUser !== null &&
      maxUsesPerUser < mostByUser && {
        max_uses_per_user: `A customer has used it ${mostByUser} times. Enter at least ${mostByUser}`,
      }),
  };
}
