/** Parts of statements that read prices of products. */
import { sql } from 'kysely';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { createVariantKey } from './products/variants.ts';
import type { VariantExceptions } from './products/variants.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';

export interface VariantExceptionRow {
  readonly valueIds: readonly string[];
  readonly ownPrice: string | null;
  readonly isPublished: boolean;
}

/** Variants of the row of `products` that differ from the rule. Amounts are text, since JSON numbers are not exact. */
export const selectExceptions = sql<VariantExceptionRow[] | null>`(
  select json_agg(json_build_object(
    'valueIds', property_value_ids, 'ownPrice', own_price_cents::text, 'isPublished', is_published
  ))
  from product_variants
  where product_id = products.id and (own_price_cents is not null or not is_published)
)`;

/** Shared by all products that have none, to save memory. */
const NO_EXCEPTIONS: VariantExceptions<Cents> = { unsold: new Set(), ownPrices: new Map() };

export function toExceptions(rows: readonly VariantExceptionRow[] | null): VariantExceptions<Cents> {
  if (rows === null) return NO_EXCEPTIONS;
  const unsold = new Set<string>();
  const ownPrices = new Map<string, Cents>();
  for (const { valueIds, ownPrice, isPublished } of rows) {
    const key = createVariantKey(valueIds);
    if (!isPublished) unsold.add(key);
    if (ownPrice !== null) ownPrices.set(key, cents(BigInt(ownPrice)));
  }
  return { unsold, ownPrices };
}

/** Value ids of the row of `products` with their increases in cents, such as `019a…:4000`. */
export const selectIncreases = sql<string[]>`array(
  select value_id || ':' || increase_cents from product_values where product_id = products.id
)`;

export const parseIncrease = (text: string): readonly [string, Cents] => {
  const [id = '', increase = '0'] = text.split(':');
  return [id, cents(BigInt(increase))];
};

/** Tax class and weight of a product, without what most products have. */
export const toTaxAndWeight = (
  taxClass: TaxClass,
  weightGrams: number | null,
): { readonly taxClass?: TaxClass; readonly weightGrams?: number } => ({
  ...(taxClass === 'standard' ? {} : { taxClass }),
  ...(weightGrams === null ? {} : { weightGrams }),
});
