/** Finds what exports and imports compare files with. */
import { foldText } from '#src/shop/fold-text.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { executeCancellable } from '#src/platform/database/cancellable.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import { readProducts } from '../editing/products.store.ts';
import type { StoredProduct } from '../editing/stored-product.ts';
import { STRUCTURE_TOPIC } from '../store.ts';
import type { Structure } from './structure.ts';

interface StructureSnapshot {
  readonly revision: bigint;
  readonly structure: Structure;
}

/** All brands, categories, properties and values in display order, with their revision. */
export const readStructure = (db: Db): Promise<StructureSnapshot> =>
  transact(db, readStructureRows, { isolationLevel: 'repeatable read' });

async function readStructureRows(tx: Db): Promise<StructureSnapshot> {
  const revision = await readRevision(tx, STRUCTURE_TOPIC);
  const brands = await sql<Structure['brands'][number]>`
      select id, name, slug from brands order by position, id
    `.execute(tx);
  const categories = await sql<Structure['categories'][number]>`
      select id, name, slug from categories order by position, id
    `.execute(tx);
  const properties = await sql<Structure['properties'][number]>`
      select id, category_id as "categoryId", name from properties order by position, id
    `.execute(tx);
  const values = await sql<Structure['values'][number]>`
      select id, property_id as "propertyId", value from property_values order by position, id
    `.execute(tx);
  const structure = {
    brands: brands.rows,
    categories: categories.rows,
    properties: properties.rows,
    values: values.rows,
  };
  return { revision, structure };
}

/** Ids of products with these texts in a unique column. */
const selectIds = (column: RawBuilder<unknown>, texts: readonly string[]) => sql`
  select found.id from unnest(${texts}::text[]) as requested (name)
  cross join lateral (select id from products where ${column} = requested.name limit 1) found
`;

export const findPresentProducts = (db: Db, slugs: readonly string[]): Promise<readonly StoredProduct[]> =>
  // A subquery, since the planner overestimates long lists and would read the whole table.
  readProducts(db, sql`products.id in (${selectIds(sql`products.slug`, slugs)})`);

/** Category ids of the products with these slugs. */
export async function findCategoryIds(db: Db, slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ slug: string; categoryId: string }>`
    select requested.slug, found.category_id as "categoryId" from unnest(${slugs}::text[]) as requested (slug)
    cross join lateral (select category_id from products where slug = requested.slug limit 1) found
  `.execute(db);
  return new Map(rows.map(({ slug, categoryId }) => [slug, categoryId]));
}

/** Product ids by article number, and by SKU of a variant. */
export async function findUsedNames(db: Db, articles: readonly string[], skus: readonly string[]) {
  const usedArticles = await sql<{ article: string; id: string }>`
    select requested.article, found.id from unnest(${articles}::text[]) as requested (article)
    cross join lateral (select id from products where article = requested.article limit 1) found
  `.execute(db);
  const usedSkus = await sql<{ sku: string; id: string }>`
    select requested.sku, found.product_id as id from unnest(${skus}::text[]) as requested (sku)
    cross join lateral (select product_id from product_variants where sku = requested.sku limit 1) found
  `.execute(db);
  return { articles: usedArticles.rows, skus: usedSkus.rows };
}

export async function readLastPosition(db: Db): Promise<number> {
  const { rows } = await sql<{ position: number | null }>`select max(position) as position from products`.execute(db);
  return rows[0]?.position ?? -1;
}

export interface ExportFilter {
  /** Part of a name, article number or SKU. */
  readonly q?: string | undefined;
  /** Ids or slugs. */
  readonly category?: string | undefined;
  readonly brand?: string | undefined;
  readonly published?: boolean | undefined;
}

const createPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/**
 * Ids of products to export, packed, in the order of their slugs, and the most options that one of them has.
 * @param signal stops the query
 */
export async function listExportIds(
  db: Db,
  { q, category, brand, published }: ExportFilter,
  signal?: AbortSignal,
): Promise<{ readonly ids: Buffer | null; readonly options: number }> {
  const text = q?.trim() ?? '';
  const pattern = text === '' ? null : createPattern(text);
  const foldedPattern = text === '' ? null : createPattern(foldText(text));
  const statement = sql<{ ids: Buffer | null; options: number | null }>`
    select string_agg(uuid_send(products.id), ''::bytea order by products.slug collate "C") as ids,
      max((select max(cardinality(property_value_ids)) from product_variants where product_id = products.id)) as options
    from products
    join categories on categories.id = products.category_id
    join brands on brands.id = products.brand_id
    where (${pattern}::text is null or products.folded_name like ${foldedPattern} or products.article ilike ${pattern} or exists (
        select from product_variants variant where variant.product_id = products.id and variant.sku ilike ${pattern}
      ))
      and (${category ?? null}::text is null or ${category ?? null} in (categories.id::text, categories.slug))
      and (${brand ?? null}::text is null or ${brand ?? null} in (brands.id::text, brands.slug))
      and (${published ?? null}::boolean is null or products.is_published = ${published ?? null})
  `;
  const [row] = await executeCancellable(db, statement, signal);
  return { ids: row?.ids ?? null, options: row?.options ?? 0 };
}
