import { createVariantKey } from '#src/shop/catalogue/products/variants.ts';
import { formatDollarInput, readDollars, readPercent } from './parse-dollars.ts';

/** As the API has it. */
type Reduction =
  | { readonly kind: 'percent'; readonly percent: number }
  | {
      readonly kind: 'amount';
      readonly price_usd: number;
      readonly variant_prices: readonly { readonly value_ids: string[]; readonly price_usd: number }[];
    };

interface ApiSalePrice {
  readonly reduction: Reduction;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
}

/** A date as typed in a `datetime-local` field, or as stored. */
export type FormMoment = { readonly typed: string } | { readonly stored: string | null };

export interface SalePriceForm {
  readonly kind: 'amount' | 'percent';
  readonly percent: string;
  readonly price: string;
  /** Reduced prices of variants with their own price, by variant key; empty: not reduced. */
  readonly variantPrices: Readonly<Record<string, string>>;
  readonly starts: FormMoment;
  readonly ends: FormMoment;
}

/** Messages by field of the request. */
export type FormProblems = Readonly<Record<string, string>>;

export const EMPTY_SALE_PRICE: SalePriceForm = {
  kind: 'amount',
  percent: '',
  price: '',
  variantPrices: {},
  starts: { stored: null },
  ends: { stored: null },
};

export function toSalePriceForm({ reduction, starts_at, ends_at }: ApiSalePrice): SalePriceForm {
  const times = { starts: { stored: starts_at }, ends: { stored: ends_at } };
  if (reduction.kind === 'percent') {
    return { ...EMPTY_SALE_PRICE, ...times, kind: 'percent', percent: String(reduction.percent) };
  }
  return {
    ...EMPTY_SALE_PRICE,
    ...times,
    price: formatDollarInput(reduction.price_usd),
    variantPrices: Object.fromEntries(
      reduction.variant_prices.map(({ value_ids, price_usd }) => [
        createVariantKey(value_ids),
        formatDollarInput(price_usd),
      ]),
    ),
  };
}

/** A variant with a price of its own. */
export interface OwnPrice {
  readonly value_ids: readonly string[];
  readonly price_usd: number;
}

const PRICE_PROBLEM = 'Enter a price in dollars, such as 899 or 899.50';
const PERCENT_PROBLEM = 'Enter a percentage above 0 and below 100, such as 20';

/** A price above 0, else a message at its field. */
function readPrice(text: string, field: string, problems: Record<string, string>): number {
  const price = readDollars(text, PRICE_PROBLEM);
  if (price.ok && price.value > 0) return price.value;
  problems[field] = price.ok ? PRICE_PROBLEM : price.problem;
  return 0;
}

/** Null and a message for a date that can't be read. */
function readMoment(moment: FormMoment): { readonly at: string | null; readonly isValid: boolean } {
  if ('stored' in moment) return { at: moment.stored, isValid: true };
  if (moment.typed === '') return { at: null, isValid: true };
  const at = new Date(moment.typed);
  return Number.isNaN(at.getTime()) ? { at: null, isValid: false } : { at: at.toISOString(), isValid: true };
}

function readReduction(
  form: SalePriceForm,
  ownPrices: readonly OwnPrice[],
): { readonly reduction: Reduction; readonly problems: FormProblems } {
  if (form.kind === 'percent') {
    const read = readPercent(form.percent, PERCENT_PROBLEM);
    const percent = read.ok && read.value > 0 && read.value < 100 ? read.value : 0;
    const problem = read.ok ? PERCENT_PROBLEM : read.problem;
    return { reduction: { kind: 'percent', percent }, problems: percent > 0 ? {} : { percent: problem } };
  }
  const problems: Record<string, string> = {};
  const price = readPrice(form.price, 'price_usd', problems);
  const typed = ownPrices.flatMap(({ value_ids }) => {
    const text = form.variantPrices[createVariantKey(value_ids)] ?? '';
    return text.trim() === '' ? [] : [{ value_ids: [...value_ids], text }];
  });
  const variantPrices = typed.map(({ value_ids, text }, index) => ({
    value_ids,
    price_usd: readPrice(text, `variant_prices.${index}.price_usd`, problems),
  }));
  return { reduction: { kind: 'amount', price_usd: price, variant_prices: variantPrices }, problems };
}

/** The request of a form, and what is wrong with its fields. */
export function toSalePriceRequest(
  form: SalePriceForm,
  ownPrices: readonly OwnPrice[],
): { readonly body: ApiSalePrice; readonly problems: FormProblems } {
  const { reduction, problems } = readReduction(form, ownPrices);
  const [starts, ends] = [readMoment(form.starts), readMoment(form.ends)];
  const isReversed = starts.at !== null && ends.at !== null && ends.at <= starts.at;
  return {
    body: { reduction, starts_at: starts.at, ends_at: ends.at },
    problems: {
      ...problems,
      ...(starts.isValid ? {} : { starts_at: 'Enter a date and a time' }),
      ...(ends.isValid ? {} : { ends_at: 'Enter a date and a time' }),
      ...(isReversed ? { ends_at: 'The end must be after the start' } : {}),
    },
  };
}

/** Position of a variant among those that the request lists, for its messages; -1 if it is not listed. */
export const findListedPosition = (form: SalePriceForm, ownPrices: readonly OwnPrice[], key: string): number =>
  ownPrices
    .map(({ value_ids }) => createVariantKey(value_ids))
    .filter((other) => (form.variantPrices[other] ?? '').trim() !== '')
    .indexOf(key);
