/** Applies planned products with set-based statements, in the transaction of the caller. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision, readRevision } from '#src/platform/database/revisions.ts';
import { KEPT_EDITS } from '../editing/products.store.ts';
import { CATALOGUE_TOPIC, STRUCTURE_TOPIC } from '../store.ts';
import type { ProductState, VariantState } from './product-state.ts';

/** The planned state of a product as JSON for the statements of this file. */
export function createTarget(product: ProductState, before: ProductState | null, fields: readonly string[]): string {
  const formerStock = new Map((before?.variants ?? []).map(({ id, available }) => [id, available]));
  return JSON.stringify({
    name: product.name,
    article: product.article,
    category_id: product.categoryId,
    brand_id: product.brandId,
    base_price_cents: String(product.basePriceCents),
    description: product.description,
    sub_description: product.subDescription,
    tax_class: product.taxClass,
    weight_grams: product.weightGrams,
    specifications: product.specifications,
    images: product.images,
    main_image: product.mainImage,
    picture_alts: product.pictureAlts,
    position: product.position,
    is_published: product.isPublished,
    values: product.values.map(({ valueId, increaseCents, images }) => ({
      value_id: valueId,
      increase_cents: String(increaseCents),
      images,
    })),
    variants: product.variants.map(createVariantTarget),
    stock: product.variants.flatMap(({ id, available }) => {
      const former = formerStock.get(id) ?? null;
      return former === available
        ? []
        : [{ variant_id: id, before: former, after: available, is_new: !formerStock.has(id) }];
    }),
    edited_fields: fields,
  });
}

const createVariantTarget = (variant: VariantState) => ({
  id: variant.id,
  property_value_ids: variant.valueIds,
  own_price_cents: variant.ownPriceCents === null ? null : String(variant.ownPriceCents),
  sku: variant.sku,
  gtin: variant.gtin,
  weight_grams: variant.weightGrams,
  images: variant.images,
  is_published: variant.isPublished,
  position: variant.position,
});

/** Gives the planner the sizes of the tables, which an import changes at once. Call after its transaction. */
export async function analyzeCatalogue(db: Db): Promise<void> {
  await sql`analyze products, product_values, product_variants, variant_stock`.execute(db);
}

/**
 * Locks the changed products, and all brands and categories, as editors do before they lock the
 * revision of the catalogue.
 */
export async function lockProducts(tx: Db, importId: string): Promise<void> {
  // An import rather waits for an editor than fails.
  await sql`
    select set_config('lock_timeout', '60s', true), set_config('statement_timeout', '120s', true)
  `.execute(tx);
  await sql`
    select from products
    where id in (select product_id from catalogue_import_products where import_id = ${importId} and not is_new)
    order by id for no key update
  `.execute(tx);
  await sql`select from categories order by id for share`.execute(tx);
  await sql`select from brands order by id for share`.execute(tx);
}

/** Locks the catalogue against other changes. Returns the revision of the changed products. */
export const lockCatalogue = (tx: Db): Promise<bigint> => incrementRevision(tx, CATALOGUE_TOPIC);

/** Whether brands, categories, properties or values changed after the check. */
export async function isStructureOutdated(tx: Db, importId: string): Promise<boolean> {
  const { rows } = await sql<{ revision: bigint }>`
    select structure_revision as revision from catalogue_imports where id = ${importId}
  `.execute(tx);
  return rows[0]?.revision !== (await readRevision(tx, STRUCTURE_TOPIC));
}

/** Names of products that changed after the check, at most five. Call with the catalogue locked. */
export async function listOutdated(tx: Db, importId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select staged.name from catalogue_import_products staged
    left join products on products.id = staged.product_id
    where staged.import_id = ${importId} and (
      case when staged.is_new then exists (
          select from products other
          where other.slug = staged.slug or other.article = staged.target ->> 'article'
        )
        else products.revision is distinct from staged.revision or products.version <> staged.version
          or products.slug <> staged.slug end
    )
    order by staged.position limit 5
  `.execute(tx);
  return rows.map(({ name }) => name);
}

/** Creates the planned brands, categories, properties and values. */
export async function createStructure(tx: Db, importId: string): Promise<void> {
  const { rows } = await sql<{ created: number }>`
    select json_array_length(structure -> 'brands') + json_array_length(structure -> 'categories')
      + json_array_length(structure -> 'properties') + json_array_length(structure -> 'values') as created
    from catalogue_imports where id = ${importId}
  `.execute(tx);
  if ((rows[0]?.created ?? 0) === 0) return;
  await incrementRevision(tx, STRUCTURE_TOPIC);
  await sql`
    insert into brands (id, name, slug, position)
    select entry.id, entry.name, entry.slug, (select coalesce(max(position), -1) from brands) + number
    from ${toEntries(importId, 'brands')}
  `.execute(tx);
  await sql`
    insert into categories (id, name, slug, position)
    select entry.id, entry.name, entry.slug, (select coalesce(max(position), -1) from categories) + number
    from ${toEntries(importId, 'categories')}
  `.execute(tx);
  await sql`
    insert into properties (id, category_id, name, position)
    select entry.id, entry."categoryId", entry.name, (select coalesce(max(position), -1) from properties) + number
    from ${toEntries(importId, 'properties')}
  `.execute(tx);
  await sql`
    insert into property_values (id, property_id, value, position)
    select entry.id, entry."propertyId", entry.value, (select coalesce(max(position), -1) from property_values) + number
    from ${toEntries(importId, 'values')}
  `.execute(tx);
}

const toEntries = (importId: string, list: 'brands' | 'categories' | 'properties' | 'values') => sql`
  catalogue_imports imports, rows from (
    json_to_recordset(imports.structure -> ${sql.lit(list)})
      as (id uuid, name text, slug text, "categoryId" uuid, "propertyId" uuid, value text)
  ) with ordinality as entry (id, name, slug, "categoryId", "propertyId", value, number)
  where imports.id = ${importId}
`;

/** Positions of planned products, both inclusive. */
export interface StagedRange {
  readonly importId: string;
  readonly from: number;
  readonly to: number;
}

const select = ({ importId, from, to }: StagedRange) =>
  sql`staged.import_id = ${importId} and staged.position between ${from} and ${to}`;

const VARIANT_COLUMNS = sql`id uuid, property_value_ids uuid[], own_price_cents bigint, sku text, gtin text, weight_grams integer,
  images text[], is_published boolean, position integer`;

/**
 * Gives changed article numbers, SKUs and combinations a temporary value, so that products can
 * exchange them. Call for all products before the first is changed.
 */
export async function releaseNames(tx: Db, range: StagedRange): Promise<void> {
  await sql`
    update products set article = products.id::text
    from catalogue_import_products staged
    where ${select(range)} and products.id = staged.product_id and products.article <> staged.target ->> 'article'
  `.execute(tx);
  await sql`
    with entries as materialized (
      select entry.id, entry.sku, entry.property_value_ids
      from catalogue_import_products staged,
        json_to_recordset(staged.target -> 'variants') as entry (${VARIANT_COLUMNS})
      where ${select(range)} and not staged.is_new
    )
    update product_variants variant
    set sku = case when variant.sku = entry.sku then variant.sku else variant.id::text end,
      property_value_ids = case when variant.property_value_ids = entry.property_value_ids
        then variant.property_value_ids else array[variant.id] end
    from entries entry
    where variant.id = entry.id
      and (variant.sku <> entry.sku or variant.property_value_ids <> entry.property_value_ids)
  `.execute(tx);
}

export async function listProductIds(tx: Db, range: StagedRange): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select staged.product_id as id from catalogue_import_products staged where ${select(range)}
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** What a range is written with. */
export interface WriteRequest {
  readonly revision: bigint;
  readonly now: Date;
  /** Null: their account was erased. */
  readonly by: string | null;
}

export async function writeProducts(tx: Db, range: StagedRange, { revision, now, by }: WriteRequest): Promise<void> {
  await sql`
    insert into products (id, slug, revision, version, created_at, edited_at, first_published_at, name, article,
      category_id, brand_id, base_price_cents, description, sub_description, specifications, images, main_image,
      picture_alts, position, is_published, tax_class, weight_grams)
    select staged.product_id, staged.slug, ${revision}, 1, ${now}, ${now},
      case when entry.is_published then ${now}::timestamptz end, entry.*
    from catalogue_import_products staged, json_to_record(staged.target) as entry (
      name text, article text, category_id uuid, brand_id uuid, base_price_cents bigint, description text,
      sub_description text, specifications json, images text[], main_image text, picture_alts json, position integer,
      is_published boolean, tax_class text, weight_grams integer
    )
    where ${select(range)}
    on conflict (id) do update set
      revision = excluded.revision, version = products.version + 1, edited_at = excluded.edited_at,
      -- Products are newest when they first go on sale.
      created_at = case when products.first_published_at is null and excluded.is_published
        then excluded.edited_at else products.created_at end,
      first_published_at = coalesce(products.first_published_at, excluded.first_published_at),
      name = excluded.name, article = excluded.article,
      category_id = excluded.category_id, brand_id = excluded.brand_id, base_price_cents = excluded.base_price_cents,
      description = excluded.description, sub_description = excluded.sub_description,
      specifications = excluded.specifications, images = excluded.images, main_image = excluded.main_image,
      picture_alts = excluded.picture_alts, position = excluded.position, is_published = excluded.is_published,
      tax_class = excluded.tax_class, weight_grams = excluded.weight_grams
  `.execute(tx);
  await sql`
    insert into product_sales (product_id)
    select staged.product_id from catalogue_import_products staged where ${select(range)} and staged.is_new
    on conflict do nothing
  `.execute(tx);
  await sql`
    delete from product_drafts using catalogue_import_products staged
    where ${select(range)} and product_drafts.product_id = staged.product_id
  `.execute(tx);
  await recordEdits(tx, range, { revision, now, by });
  await sql`
    with kept as materialized (
      select staged.product_id, entry.value_id
      from catalogue_import_products staged
      left join lateral json_to_recordset(staged.target -> 'values') as entry (value_id uuid) on true
      where ${select(range)} and not staged.is_new
    )
    delete from product_values offered
    where offered.product_id in (select product_id from kept) and not exists (
      select from kept where kept.product_id = offered.product_id and kept.value_id = offered.value_id
    )
  `.execute(tx);
  await sql`
    insert into product_values (product_id, value_id, images, increase_cents)
    select staged.product_id, entry.value_id, entry.images, entry.increase_cents
    from catalogue_import_products staged, json_to_recordset(staged.target -> 'values')
      as entry (value_id uuid, increase_cents bigint, images text[])
    where ${select(range)}
    on conflict (product_id, value_id) do update
      set images = excluded.images, increase_cents = excluded.increase_cents
      where (product_values.images, product_values.increase_cents)
        is distinct from (excluded.images, excluded.increase_cents)
  `.execute(tx);
  await writeVariants(tx, range);
}

/** Records the changes as those of the editor, whose oldest records are forgotten. */
async function recordEdits(tx: Db, range: StagedRange, { now, by }: WriteRequest): Promise<void> {
  await sql`
    insert into product_edits (product_id, version, edited_at, edited_by, fields)
    select products.id, products.version, ${now}, ${by}, array(select json_array_elements_text(staged.target -> 'edited_fields'))
    from catalogue_import_products staged join products on products.id = staged.product_id
    where ${select(range)}
  `.execute(tx);
  await sql`
    delete from product_edits edit
    using catalogue_import_products staged join products on products.id = staged.product_id
    where ${select(range)} and edit.product_id = products.id and edit.version <= products.version - ${KEPT_EDITS}
  `.execute(tx);
}

async function writeVariants(tx: Db, range: StagedRange): Promise<void> {
  await sql`
    insert into product_variants (product_id, id, property_value_ids, own_price_cents, sku, gtin, weight_grams, images,
      is_published, position)
    select staged.product_id, entry.*
    from catalogue_import_products staged,
      json_to_recordset(staged.target -> 'variants') as entry (${VARIANT_COLUMNS})
    where ${select(range)}
    on conflict (id) do update set
      property_value_ids = excluded.property_value_ids, own_price_cents = excluded.own_price_cents,
      sku = excluded.sku, gtin = excluded.gtin, weight_grams = excluded.weight_grams, images = excluded.images,
      is_published = excluded.is_published, position = excluded.position
      where (product_variants.property_value_ids, product_variants.own_price_cents, product_variants.sku,
          product_variants.gtin, product_variants.weight_grams, product_variants.images,
          product_variants.is_published, product_variants.position)
        is distinct from (excluded.property_value_ids, excluded.own_price_cents, excluded.sku, excluded.gtin,
          excluded.weight_grams, excluded.images, excluded.is_published, excluded.position)
  `.execute(tx);
}

/** Stock of a variant when the file was checked and as planned; null: not tracked. */
export interface PlannedStock {
  readonly variantId: string;
  readonly isNew: boolean;
  readonly before: number | null;
  readonly after: number | null;
}

/** Planned changes of stock, in ascending variant id. */
export async function listPlannedStock(tx: Db, importId: string): Promise<readonly PlannedStock[]> {
  const { rows } = await sql<PlannedStock>`
    select entry.variant_id as "variantId", entry.is_new as "isNew", entry.before, entry.after
    from catalogue_import_products staged,
      json_to_recordset(staged.target -> 'stock') as entry (variant_id uuid, is_new boolean, before integer, after integer)
    where staged.import_id = ${importId}
    order by entry.variant_id
  `.execute(tx);
  return rows;
}
