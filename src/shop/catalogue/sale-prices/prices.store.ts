/** Sale prices and records of normal prices as catalogue and checkout read them. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { PriceHistory, PriceRecord } from './prior-price.ts';
import type { SalePrice } from './sale-price.ts';

/** Sale prices that ended earlier are not read: a clock may go back, in demo mode. */
export const ENDED_MS = 24 * 60 * 60 * 1000;

export interface SalePriceJson {
  readonly id: string;
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly basisPoints: number | null;
  readonly basePrice: string | null;
  /** By variant key. */
  readonly ownPrices: Readonly<Record<string, string>> | null;
}

export interface PricesJson {
  readonly base: string;
  readonly increases: Readonly<Record<string, string>>;
  readonly own: Readonly<Record<string, string>>;
  readonly unsold: readonly string[];
}

export interface PriceHistoryJson {
  readonly salePrices: readonly SalePriceJson[];
  readonly records: readonly { readonly at: string; readonly prices: PricesJson | null }[];
}

/** One sale price as JSON, of a row named `listed`. Amounts are text, since JSON numbers are not exact. */
export const salePriceJson = sql`json_build_object(
  'id', listed.id, 'startsAt', listed.starts_at, 'endsAt', listed.ends_at,
  'basisPoints', listed.discount_basis_points, 'basePrice', listed.base_price_cents::text,
  'ownPrices', (
    select json_object_agg(array_to_string(property_value_ids, ','), price_cents::text)
    from sale_variant_prices join product_variants on product_variants.id = variant_id
    where sale_price_id = listed.id
  )
)`;

/** When the first present sale price of the row of `products` starts; null without one. */
export const selectFirstStart = (now: Date): RawBuilder<Date | null> => sql`
  select min(starts_at) as at from sale_prices
  where product_id = products.id and (ends_at is null or ends_at > ${new Date(now.getTime() - ENDED_MS)})
`;

/** The start of the first of the sale prices that follow each other without a break until `first`. */
export const selectChainStart = sql`
  with recursive chain (at) as (
    select first.at
    union all
    select earlier.starts_at from chain
    join sale_prices earlier on earlier.product_id = products.id and earlier.ends_at = chain.at
  )
  select min(at) as at from chain
`;

/**
 * Sale prices of the row of `products`, with all that their prior prices depend on. Null for a
 * product without a present or future one.
 */
export const selectPriceHistory = (now: Date): RawBuilder<PriceHistoryJson | null> => sql`(
  select json_build_object(
    'salePrices', (
      select json_agg(${salePriceJson} order by listed.starts_at) from sale_prices listed
      where listed.product_id = products.id
        and (listed.ends_at is null or listed.ends_at > begun.at - interval '30 days')
    ),
    'records', (
      select coalesce(json_agg(json_build_object('at', recorded_at, 'prices', prices) order by recorded_at), '[]')
      from price_records
      where product_id = products.id and recorded_at >= coalesce(
        (
          select max(recorded_at) from price_records
          where product_id = products.id and recorded_at <= begun.at - interval '30 days'
        ),
        '-infinity'
      )
    )
  )
  from (${selectFirstStart(now)}) first
  cross join lateral (${selectChainStart}) begun
  where first.at is not null
)`;

/** The sale price in force of the row of `products`, or null. */
export const selectRunningSalePrice = (now: Date): RawBuilder<SalePriceJson | null> => sql`(
  select ${salePriceJson} from sale_prices listed
  where listed.product_id = products.id and starts_at <= ${now} and (ends_at is null or ends_at > ${now})
)`;

/** Ids of the products with a sale price in force. */
export const selectReduced = (now: Date): RawBuilder<unknown> => sql`
  select product_id as id from sale_prices where starts_at <= ${now} and (ends_at is null or ends_at > ${now})
`;

const toAmounts = (amounts: Readonly<Record<string, string>>): ReadonlyMap<string, Cents> =>
  new Map(Object.entries(amounts).map(([key, amount]) => [key, cents(BigInt(amount))]));

export const toSalePrice = (row: SalePriceJson): SalePrice => ({
  id: row.id,
  startsAt: new Date(row.startsAt),
  endsAt: row.endsAt === null ? null : new Date(row.endsAt),
  reduction:
    row.basePrice === null
      ? { kind: 'percent', basisPoints: row.basisPoints ?? 0 }
      : { kind: 'amount', basePriceCents: cents(BigInt(row.basePrice)), ownPrices: toAmounts(row.ownPrices ?? {}) },
});

export const toPrices = ({ base, increases, own, unsold }: PricesJson): NonNullable<PriceRecord['prices']> => ({
  basePriceCents: cents(BigInt(base)),
  increases: toAmounts(increases),
  ownPrices: toAmounts(own),
  unsold: new Set(unsold),
});

const toText = (amounts: ReadonlyMap<string, Cents>): Readonly<Record<string, string>> =>
  Object.fromEntries([...amounts].map(([key, amount]) => [key, String(amount)]));

export const storePrices = (prices: NonNullable<PriceRecord['prices']>): PricesJson => ({
  base: String(prices.basePriceCents),
  increases: toText(prices.increases),
  own: toText(prices.ownPrices),
  unsold: [...prices.unsold],
});

export const toPriceHistory = ({ salePrices, records }: PriceHistoryJson): PriceHistory => ({
  salePrices: salePrices.map(toSalePrice),
  records: records.map(({ at, prices }) => ({
    recordedAt: new Date(at),
    prices: prices === null ? null : toPrices(prices),
  })),
});

/** The normal prices of the row of `products`, as `price_records` keeps them. */
export const presentPrices = sql`jsonb_build_object(
  'base', base_price_cents::text,
  'increases', (
    select coalesce(jsonb_object_agg(value_id, increase_cents::text), '{}')
    from product_values where product_id = products.id
  ),
  'own', (
    select coalesce(jsonb_object_agg(array_to_string(property_value_ids, ','), own_price_cents::text), '{}')
    from product_variants where product_id = products.id and own_price_cents is not null
  ),
  'unsold', (
    select coalesce(jsonb_agg(array_to_string(property_value_ids, ',') order by property_value_ids), '[]')
    from product_variants where product_id = products.id and not is_published
  )
)`;
