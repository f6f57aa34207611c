/** Prices that staff change by half or more, which the form asks about. */
import type { WireContent } from '#src/shop/catalogue/editing/contract.ts';
import { isLargePriceChange } from '#src/shop/catalogue/editing/large-price-change.ts';
import { createVariantKey } from '#src/shop/catalogue/products/variants.ts';
import type { OwnPrice, toSalePriceRequest } from './sale-price-form.ts';

/** In dollars. */
export interface PriceChange {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

interface Prices extends Pick<WireContent, 'base_price_usd'> {
  readonly values: readonly Pick<WireContent['values'][number], 'id' | 'increase_usd'>[];
  readonly variants: readonly Pick<WireContent['variants'][number], 'value_ids' | 'own_price_usd'>[];
}

const toCents = (dollars: number): bigint => BigInt(Math.round(dollars * 100));
const isLarge = ({ before, after }: PriceChange): boolean => isLargePriceChange(toCents(before), toCents(after));

function listVariantPrices({ base_price_usd: base, values, variants }: Prices): ReadonlyMap<string, number> {
  const increases = new Map(values.map(({ id, increase_usd }) => [id, increase_usd]));
  return new Map(
    variants.map(({ value_ids: ids, own_price_usd: own }) => [
      createVariantKey(ids),
      own ?? ids.reduce((price, id) => price + (increases.get(id) ?? 0), base),
    ]),
  );
}

/**
 * The base price, and prices of variants; those that only follow the base price are left out.
 * @param names of variants by their key
 */
export function listLargePriceChanges(
  before: Prices,
  after: Prices,
  names: ReadonlyMap<string, string>,
): readonly PriceChange[] {
  const base = { name: 'Base price', before: before.base_price_usd, after: after.base_price_usd };
  const former = listVariantPrices(before);
  const following = listVariantPrices({ ...before, base_price_usd: after.base_price_usd });
  const variants = [...listVariantPrices(after)].flatMap(([key, price]) => {
    const was = former.get(key);
    const isFollowing = isLarge(base) && following.get(key) === price;
    return was === undefined || isFollowing
      ? []
      : [{ name: names.get(key) || 'The product', before: was, after: price }];
  });
  return [base, ...variants].filter(isLarge);
}

/** Sale prices that are at most half of the price that they reduce. */
export function listLargeReductions(
  { reduction }: Pick<ReturnType<typeof toSalePriceRequest>['body'], 'reduction'>,
  basePrice: number,
  ownPrices: readonly OwnPrice[],
  names: ReadonlyMap<string, string>,
): readonly PriceChange[] {
  if (reduction.kind === 'percent') {
    const after = Math.round(basePrice * (100 - reduction.percent)) / 100;
    return [{ name: 'Sale price', before: basePrice, after }].filter(isLarge);
  }
  const reduced = reduction.variant_prices.flatMap(({ value_ids: ids, price_usd: after }) => {
    const key = createVariantKey(ids);
    const own = ownPrices.find(({ value_ids }) => createVariantKey(value_ids) === key);
    return own === undefined ? [] : [{ name: names.get(key) || 'The product', before: own.price_usd, after }];
  });
  return [{ name: 'Sale price', before: basePrice, after: reduction.price_usd }, ...reduced].filter(isLarge);
}
