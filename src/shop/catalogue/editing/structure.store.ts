/** Categories with properties and values, and brands, as staff edit them. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents } from '#src/shop/money.ts';
import type { ProductSafety } from '../compliance/product-safety.ts';

interface NamedRow {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly slug: string;
  readonly productCount: number;
}

interface BrandRow extends NamedRow {
  readonly safety: ProductSafety | null;
}

interface PropertyRow {
  readonly id: string;
  readonly categoryId: string;
  readonly name: string;
}

interface ValueRow {
  readonly id: string;
  readonly propertyId: string;
  readonly value: string;
  readonly increaseCents: bigint;
}

export interface StructureRows {
  readonly categories: readonly NamedRow[];
  readonly brands: readonly BrandRow[];
  readonly properties: readonly PropertyRow[];
  readonly values: readonly ValueRow[];
  /** Number of products by value, those that were offered with it or have a draft with it included. */
  readonly uses: ReadonlyMap<string, number>;
}

/** @param categoryId null for all categories */
export async function readProperties(
  db: Db,
  categoryId: string | null,
): Promise<Pick<StructureRows, 'properties' | 'values'>> {
  const { rows: properties } = await sql<PropertyRow>`
    select id, category_id as "categoryId", name from properties
    where ${categoryId}::uuid is null or category_id = ${categoryId}
    order by position, id
  `.execute(db);
  const { rows: values } = await sql<ValueRow>`
    select property_values.id, property_id as "propertyId", value, increase_cents as "increaseCents"
    from property_values join properties on properties.id = property_id
    where ${categoryId}::uuid is null or category_id = ${categoryId}
    order by property_values.position, property_values.id
  `.execute(db);
  return { properties, values };
}

export async function readStructure(db: Db): Promise<StructureRows> {
  const { rows: categories } = await sql<NamedRow>`
    select id, version, name, slug, coalesce(products.count, 0)::integer as "productCount"
    from categories left join (select category_id, count(*) from products group by 1) products on category_id = id
    order by position, id
  `.execute(db);
  const { rows: brands } = await sql<BrandRow>`
    select id, version, name, slug, safety, coalesce(products.count, 0)::integer as "productCount"
    from brands left join (select brand_id, count(*) from products group by 1) products on brand_id = id
    order by position, id
  `.execute(db);
  return { categories, brands, ...(await readProperties(db, null)), uses: await countUses(db, null) };
}

/** Number of products by value. @param valueIds null for all */
export async function countUses(db: Db, valueIds: readonly string[] | null): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    with former as (
      select unnest(property_value_ids) as value_id, product_id from product_variants where not is_published
      union
      select (value ->> 'id')::uuid, product_id from product_drafts, json_array_elements(content -> 'values') value
    )
    select value_id as id, sum(count)::integer as count
    from (
      select value_id, count(*) from product_values
      where ${valueIds}::uuid[] is null or value_id = any(${valueIds}::uuid[]) group by 1
      union all
      -- A scalar subquery is looked up by the key; an anti join would hash all of product_values.
      select value_id, count(*) from former
      where (${valueIds}::uuid[] is null or value_id = any(${valueIds}::uuid[])) and not coalesce((
        select true from product_values offered
        where offered.product_id = former.product_id and offered.value_id = former.value_id
      ), false)
      group by 1
    ) used
    group by 1
  `.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export type NamedTable = 'categories' | 'brands';

/** Locks the row; null if there is none. */
export async function lockNamed(tx: Db, table: NamedTable, id: string): Promise<NamedRow | null> {
  const products = sql.ref(table === 'categories' ? 'products.category_id' : 'products.brand_id');
  const { rows } = await sql<NamedRow>`
    select id, version, name, slug,
      (select count(*) from products where ${products} = ${sql.table(table)}.id)::integer as "productCount"
    from ${sql.table(table)} where id = ${id} for update of ${sql.table(table)}
  `.execute(tx);
  return rows[0] ?? null;
}

/** In display order. */
export async function listNames(db: Db, table: NamedTable): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by position, id`.execute(db);
  return rows.map(({ name }) => name);
}

interface NamedFields {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export async function insertCategory(tx: Db, { id, name, slug }: NamedFields): Promise<void> {
  await sql`
    insert into categories (id, name, slug, position)
    values (${id}, ${name}, ${slug}, (select coalesce(max(position) + 1, 0) from categories))
  `.execute(tx);
}

export interface BrandFields extends NamedFields {
  readonly safety: ProductSafety | null;
}

/** Null if none is given. The row must be locked. */
export async function readBrandSafety(tx: Db, id: string): Promise<ProductSafety | null> {
  const { rows } = await sql<{ safety: ProductSafety | null }>`select safety from brands where id = ${id}`.execute(tx);
  return rows[0]?.safety ?? null;
}

export async function insertBrand(tx: Db, { id, name, slug, safety }: BrandFields): Promise<void> {
  await sql`
    insert into brands (id, name, slug, safety, position)
    values (${id}, ${name}, ${slug}, ${toJson(safety)}, (select coalesce(max(position) + 1, 0) from brands))
  `.execute(tx);
}

export async function updateCategory(tx: Db, { id, name, slug }: NamedFields): Promise<void> {
  await sql`update categories set name = ${name}, slug = ${slug}, version = version + 1 where id = ${id}`.execute(tx);
}

export async function updateBrand(tx: Db, { id, name, slug, safety }: BrandFields): Promise<void> {
  await sql`
    update brands set name = ${name}, slug = ${slug}, safety = ${toJson(safety)}, version = version + 1 where id = ${id}
  `.execute(tx);
}

const toJson = (safety: ProductSafety | null) => sql`${safety === null ? null : JSON.stringify(safety)}::json`;

/** Together with its properties and values. */
export async function deleteCategory(tx: Db, id: string): Promise<void> {
  await sql`
    delete from property_values where property_id in (select id from properties where category_id = ${id})
  `.execute(tx);
  await sql`delete from properties where category_id = ${id}`.execute(tx);
  await sql`delete from categories where id = ${id}`.execute(tx);
}

export async function deleteBrand(tx: Db, id: string): Promise<void> {
  await sql`delete from brands where id = ${id}`.execute(tx);
}

/** Keeps a former URL of a category, which then redirects unless another category has the slug. */
export async function keepFormerCategorySlug(tx: Db, id: string, slug: string): Promise<void> {
  await sql`
    insert into former_category_slugs (slug, category_id) values (${slug}, ${id})
    on conflict (slug) do update set category_id = excluded.category_id
  `.execute(tx);
}

/** Ids of all, locked. */
export async function lockAll(tx: Db, table: NamedTable): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} order by id for update`.execute(tx);
  return rows.map(({ id }) => id);
}

const toOrderRows = (ids: readonly string[]) => sql`unnest(${ids}::uuid[]) with ordinality as sorted (id, number)`;

export async function sortCategories(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update categories set position = sorted.number - 1 from ${toOrderRows(ids)} where categories.id = sorted.id
  `.execute(tx);
}

export async function sortBrands(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update brands set position = sorted.number - 1 from ${toOrderRows(ids)} where brands.id = sorted.id
  `.execute(tx);
}

export interface WrittenProperty {
  readonly id: string;
  readonly name: string;
  readonly values: readonly { readonly id: string; readonly value: string; readonly increaseCents: Cents }[];
}

/** Replaces the properties and values of a category, in the given order. Ids stay. */
export async function writeProperties(
  tx: Db,
  categoryId: string,
  properties: readonly WrittenProperty[],
): Promise<void> {
  const propertyIds = properties.map(({ id }) => id);
  const values = properties.flatMap((property) =>
    property.values.map(({ id, value, increaseCents }, position) => ({
      id,
      property_id: property.id,
      value,
      increase_cents: increaseCents.toString(),
      position,
    })),
  );
  await sql`
    delete from property_values
    where property_id in (select id from properties where category_id = ${categoryId})
      and id <> all(${values.map(({ id }) => id)}::uuid[])
  `.execute(tx);
  await sql`
    delete from properties where category_id = ${categoryId} and id <> all(${propertyIds}::uuid[])
  `.execute(tx);
  // Names may be swapped, and they must be unique after each row.
  await sql`update properties set name = id::text where category_id = ${categoryId}`.execute(tx);
  await sql`
    update property_values set value = id::text where property_id = any(${propertyIds}::uuid[])
  `.execute(tx);
  const rows = properties.map(({ id, name }, position) => ({ id, name, position }));
  await sql`
    insert into properties (id, category_id, name, position)
    select id, ${categoryId}, name, position
    from json_to_recordset(${JSON.stringify(rows)}::json) written (id uuid, name text, position integer)
    on conflict (id) do update set name = excluded.name, position = excluded.position
  `.execute(tx);
  await sql`
    insert into property_values (id, property_id, value, increase_cents, position)
    select id, property_id, value, increase_cents, position
    from json_populate_recordset(null::property_values, ${JSON.stringify(values)}::json)
    on conflict (id) do update
    set value = excluded.value, increase_cents = excluded.increase_cents, position = excluded.position
  `.execute(tx);
}

/** Number of drafts of published products that name this category or brand. */
export async function countDrafts(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from product_drafts join products on products.id = product_id
    where ${id} in (content ->> 'category_id', content ->> 'brand_id')
      and ${id}::uuid not in (products.category_id, products.brand_id)
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Names of these categories by id. */
export async function listCategoryNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from categories where id = any(${ids}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Null if there is none. In a transaction, locks the category against deletion. */
export async function findCategoryName(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from categories where id = ${id} for share`.execute(db);
  return rows[0]?.name ?? null;
}
