/** Products as a checkout reads and locks them. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '#src/shop/money.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import type { CheckoutProduct, CheckoutProductRow } from './build-catalogue-data.ts';
import {
  parseIncrease,
  selectExceptions,
  selectIncreases,
  toExceptions,
  toTaxAndWeight,
} from './product-prices.store.ts';
import type { VariantExceptionRow } from './product-prices.store.ts';
import { selectRunningSalePrice, toSalePrice } from './sale-prices/prices.store.ts';
import type { SalePriceJson } from './sale-prices/prices.store.ts';

/** A product as it was read: each change gives it another revision. */
export interface ProductRevision {
  readonly id: string;
  readonly revision: bigint;
}

/** A product as a checkout reads it. */
export type ProductOnSale = CheckoutProduct & ProductRevision;

/** Product ids, or a statement that selects them. */
export type ProductIds = readonly string[] | RawBuilder<unknown>;

interface ReadRow extends ProductRevision {
  readonly name: string;
  readonly slug: string;
  readonly subDescription: string;
  readonly mainImage: string;
  readonly categoryId: string;
  readonly basePrice: bigint;
  readonly taxClass: TaxClass;
  readonly weightGrams: number | null;
  readonly increases: readonly string[];
  readonly valueImages: Readonly<Record<string, readonly string[]>>;
  readonly exceptions: readonly VariantExceptionRow[] | null;
  readonly salePrice: SalePriceJson | null;
}

/** Those of these products that are on sale, with the sale price in force. */
export async function readProductsOnSale(
  tx: Db,
  ids: ProductIds,
  now: Date,
): Promise<readonly (CheckoutProductRow & ProductRevision)[]> {
  const selected = 'execute' in ids ? ids : sql`select unnest(${ids}::uuid[])`;
  const { rows } = await sql<ReadRow>`
    select id, revision, name, slug, sub_description as "subDescription", main_image as "mainImage",
      category_id as "categoryId", base_price_cents as "basePrice", tax_class as "taxClass",
      weight_grams as "weightGrams", ${selectIncreases} as increases,
      (
        select coalesce(json_object_agg(value_id, images), '{}') from product_values
        where product_id = products.id and images <> '{}'
      ) as "valueImages",
      ${selectExceptions} as exceptions, ${selectRunningSalePrice(now)} as "salePrice"
    from products where is_published and id in (${selected})
  `.execute(tx);
  return rows.map(({ basePrice, taxClass, weightGrams, increases, exceptions, salePrice, ...row }) => ({
    ...row,
    ...toTaxAndWeight(taxClass, weightGrams),
    basePriceCents: cents(basePrice),
    increases: new Map(increases.map(parseIncrease)),
    ...toExceptions(exceptions),
    // A checkout announces no reduction, so it needs no records of earlier prices.
    ...(salePrice === null ? {} : { priceHistory: { records: [], salePrices: [toSalePrice(salePrice)] } }),
  }));
}

const lockProducts = compileOnce(
  (_db, { ids }: { readonly ids: readonly string[] }) => sql<ProductRevision>`
    select id, revision from products where id = any(${ids}::uuid[]) for share skip locked
  `,
);

/**
 * Locks products against changes until the transaction ends, unless one changed since it was read or is
 * being changed. Never waits, since the caller holds locks for which others wait.
 */
export async function lockUnchanged(tx: Db, read: readonly ProductRevision[]): Promise<boolean> {
  const { rows } = await lockProducts(tx, { ids: read.map(({ id }) => id) });
  const present = new Map(rows.map(({ id, revision }) => [id, revision]));
  return read.every(({ id, revision }) => present.get(id) === revision);
}
