/** Reads and writes whole products, as staff edit them. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import { cents } from '#src/shop/money.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import { writeMarkdown } from './description.store.ts';
import { LAST_CHARACTER } from './product-search.ts';
import type { EditedPicture, ProductContent } from './product-content.ts';
import type { PlannedVariant, StoredVariant } from './variant-set.ts';

/** Versions of which the changed fields are kept. */
export const KEPT_EDITS = 100;

export interface StoredProduct {
  readonly id: string;
  readonly version: number;
  readonly isPublished: boolean;
  readonly firstPublishedAt: Date | null;
  readonly createdAt: Date;
  readonly editedAt: Date;
  readonly editedBy: string | null;
  /** What buyers see, or would see. Only variants of present combinations. */
  readonly content: ProductContent;
  /** Every variant that ever was. */
  readonly variants: readonly StoredVariant[];
  /** The saved draft as it is stored; null for none. */
  readonly draft: unknown;
}

interface ReadRow {
  readonly id: string;
  readonly version: number;
  readonly is_published: boolean;
  readonly first_published_at: Date | null;
  readonly created_at: Date;
  readonly edited_at: Date;
  readonly edited_by: string | null;
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  readonly category_id: string;
  readonly brand_id: string;
  readonly base_price_cents: bigint;
  readonly tax_class: TaxClass;
  readonly weight_grams: number | null;
  readonly description: string;
  readonly description_markdown: string | null;
  readonly sub_description: string;
  readonly specifications: Readonly<Record<string, string>>;
  readonly images: readonly string[];
  readonly picture_alts: Readonly<Record<string, string>>;
  readonly values: readonly { readonly id: string; readonly increase: string; readonly images: readonly string[] }[];
  readonly variants: readonly {
    readonly id: string;
    readonly valueIds: readonly string[];
    readonly ownPrice: string | null;
    readonly sku: string;
    readonly gtin: string | null;
    readonly weightGrams: number | null;
    readonly images: readonly string[];
    readonly isPublished: boolean;
  }[];
  readonly draft: unknown;
}

/** Locks the product until the transaction ends, so that one edit of it runs at a time. */
export async function lockProduct(tx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from products where id = ${id} for no key update`.execute(tx);
  return rows.length > 0;
}

export async function readProduct(db: Db, id: string): Promise<StoredProduct | null> {
  // Amounts as text, since JSON numbers are not exact.
  const { rows } = await sql<ReadRow>`
    select products.id, version, is_published, first_published_at, created_at, products.edited_at, name, slug, article,
      category_id, brand_id, base_price_cents, tax_class, weight_grams, description, sub_description, specifications,
      images, picture_alts,
      (
        select users.username from product_edits join users on users.id = product_edits.edited_by
        where product_edits.product_id = products.id and product_edits.version = products.version
      ) as edited_by,
      (
        select coalesce(json_agg(json_build_object(
          'id', value_id, 'increase', product_values.increase_cents::text, 'images', product_values.images
        ) order by properties.position, properties.id, property_values.position, property_values.id), '[]')
        from product_values
        join property_values on property_values.id = value_id
        join properties on properties.id = property_values.property_id
        where product_id = products.id
      ) as values,
      (
        select coalesce(json_agg(json_build_object(
          'id', id, 'valueIds', property_value_ids, 'ownPrice', own_price_cents::text, 'sku', sku, 'gtin', gtin,
          'weightGrams', product_variants.weight_grams, 'images', images, 'isPublished', is_published
        ) order by position, id), '[]')
        from product_variants where product_id = products.id
      ) as variants,
      (select markdown from product_descriptions where product_id = products.id) as description_markdown,
      (select content from product_drafts where product_id = products.id) as draft
    from products where products.id = ${id}
  `.execute(db);
  return rows[0] === undefined ? null : toProduct(rows[0]);
}

function toProduct(row: ReadRow): StoredProduct {
  const toPictures = (paths: readonly string[]): EditedPicture[] =>
    paths.map((path) => ({ path, alt: row.picture_alts[path] ?? '' }));
  const variants = row.variants.map((variant) => ({
    id: variant.id,
    value_ids: variant.valueIds,
    own_price_usd: variant.ownPrice === null ? null : cents(BigInt(variant.ownPrice)),
    sku: variant.sku,
    gtin: variant.gtin ?? '',
    weight_grams: variant.weightGrams,
    pictures: toPictures(variant.images),
    is_published: variant.isPublished,
  }));
  const offered = new Set(row.values.map(({ id }) => id));
  const propertyCount = Math.max(0, ...variants.filter(hasOnly(offered)).map(({ value_ids }) => value_ids.length));
  return {
    id: row.id,
    version: row.version,
    isPublished: row.is_published,
    firstPublishedAt: row.first_published_at,
    createdAt: row.created_at,
    editedAt: row.edited_at,
    editedBy: row.edited_by,
    content: {
      name: row.name,
      slug: row.slug,
      article: row.article,
      category_id: row.category_id,
      brand_id: row.brand_id,
      base_price_usd: cents(row.base_price_cents),
      description: row.description,
      description_markdown: row.description_markdown,
      sub_description: row.sub_description,
      tax_class: row.tax_class,
      weight_grams: row.weight_grams,
      specifications: Object.entries(row.specifications).map(([name, value]) => ({ name, value })),
      pictures: toPictures(row.images),
      values: row.values.map(({ id, increase, images }) => ({
        id,
        increase_usd: cents(BigInt(increase)),
        pictures: toPictures(images),
      })),
      variants: variants
        .filter(hasOnly(offered))
        .filter(({ value_ids }) => value_ids.length === propertyCount)
        .map(({ id: _id, ...variant }) => variant),
    },
    variants,
    draft: row.draft,
  };
}

const hasOnly =
  (offered: ReadonlySet<string>) =>
  ({ value_ids }: { readonly value_ids: readonly string[] }): boolean =>
    value_ids.every((id) => offered.has(id));

export interface ProductState {
  readonly version: number;
  readonly isPublished: boolean;
  readonly firstPublishedAt: Date | null;
  readonly createdAt: Date;
  readonly editedAt: Date;
}

interface WrittenProduct {
  readonly id: string;
  readonly content: ProductContent;
  /** The parsed Markdown of the description; null without one. */
  readonly elements: readonly MarkdownToken[] | null;
  readonly variants: readonly (PlannedVariant & { readonly id: string })[];
  readonly state: ProductState;
  readonly revision: bigint;
}

const toPaths = (pictures: readonly EditedPicture[]): string[] => pictures.map(({ path }) => path);

function toAlts({ pictures, values, variants }: ProductContent): Record<string, string> {
  const all = [pictures, ...values.map((value) => value.pictures), ...variants.map((variant) => variant.pictures)];
  const alts = new Map<string, string>();
  for (const { path, alt } of all.flat()) if (alt !== '' && !alts.has(path)) alts.set(path, alt);
  return Object.fromEntries(alts);
}

/** Stores a product, new or not, as buyers see it. A taken slug, article number or SKU is a unique violation. */
export async function writeProduct(tx: Db, written: WrittenProduct): Promise<void> {
  const { id, content, elements, variants, state, revision } = written;
  const specifications = Object.fromEntries(content.specifications.map(({ name, value }) => [name, value]));
  await sql`
    insert into products (
      id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, specifications,
      images, main_image, picture_alts, position, is_published, first_published_at, created_at, edited_at, version,
      revision, tax_class, weight_grams
    )
    values (
      ${id}, ${content.name}, ${content.slug}, ${content.article}, ${content.category_id}, ${content.brand_id},
      ${content.base_price_usd}, ${content.description}, ${content.sub_description},
      ${JSON.stringify(specifications)}::json, ${toPaths(content.pictures)}::text[],
      ${content.pictures[0]?.path ?? ''}, ${JSON.stringify(toAlts(content))}::json,
      (select coalesce(max(position) + 1, 0) from products), ${state.isPublished}, ${state.firstPublishedAt},
      ${state.createdAt}, ${state.editedAt}, ${state.version}, ${revision}, ${content.tax_class},
      ${content.weight_grams}
    )
    on conflict (id) do update set
      name = excluded.name, slug = excluded.slug, article = excluded.article, category_id = excluded.category_id,
      brand_id = excluded.brand_id, base_price_cents = excluded.base_price_cents, description = excluded.description,
      sub_description = excluded.sub_description, specifications = excluded.specifications, images = excluded.images,
      main_image = excluded.main_image, picture_alts = excluded.picture_alts, is_published = excluded.is_published,
      first_published_at = excluded.first_published_at, created_at = excluded.created_at,
      edited_at = excluded.edited_at, version = excluded.version, revision = excluded.revision,
      tax_class = excluded.tax_class, weight_grams = excluded.weight_grams
  `.execute(tx);
  await sql`insert into product_sales (product_id) values (${id}) on conflict do nothing`.execute(tx);
  await writeMarkdown(tx, id, content.description_markdown, elements);
  await writeValues(tx, id, content.values);
  await writeVariants(tx, id, variants);
}

async function writeValues(tx: Db, productId: string, values: ProductContent['values']): Promise<void> {
  await sql`
    delete from product_values
    where product_id = ${productId} and value_id <> all(${values.map(({ id }) => id)}::uuid[])
  `.execute(tx);
  const rows = values.map(({ id, increase_usd, pictures }) => ({
    value_id: id,
    increase_cents: increase_usd.toString(),
    images: toPaths(pictures),
  }));
  await sql`
    insert into product_values (product_id, value_id, increase_cents, images)
    select ${productId}, value_id, increase_cents, images
    from json_populate_recordset(null::product_values, ${JSON.stringify(rows)}::json)
    on conflict (product_id, value_id) do update
    set increase_cents = excluded.increase_cents, images = excluded.images
  `.execute(tx);
}

async function writeVariants(tx: Db, productId: string, variants: WrittenProduct['variants']): Promise<void> {
  const rows = JSON.stringify(
    variants.map((variant) => ({
      id: variant.id,
      property_value_ids: variant.valueIds,
      own_price_cents: variant.ownPriceCents?.toString() ?? null,
      sku: variant.sku,
      gtin: variant.gtin === '' ? null : variant.gtin,
      weight_grams: variant.weightGrams,
      images: toPaths(variant.pictures),
      is_published: variant.isPublished,
      position: variant.position,
    })),
  );
  // Two variants may swap their SKUs, which must be unique after each row.
  await sql`
    update product_variants set sku = product_variants.id::text
    from json_populate_recordset(null::product_variants, ${rows}::json) planned
    where planned.id = product_variants.id and planned.sku <> product_variants.sku
  `.execute(tx);
  await sql`
    insert into product_variants (
      id, product_id, property_value_ids, own_price_cents, sku, gtin, weight_grams, images, is_published, position
    )
    select id, ${productId}, property_value_ids, own_price_cents, sku, gtin, weight_grams, images, is_published, position
    from json_populate_recordset(null::product_variants, ${rows}::json)
    on conflict (id) do update set
      own_price_cents = excluded.own_price_cents, sku = excluded.sku, gtin = excluded.gtin,
      weight_grams = excluded.weight_grams, images = excluded.images, is_published = excluded.is_published,
      position = excluded.position
  `.execute(tx);
}

/** Changes version, time and publication only. */
export async function writeState(tx: Db, id: string, state: ProductState, revision: bigint | null): Promise<void> {
  await sql`
    update products set version = ${state.version}, is_published = ${state.isPublished},
      first_published_at = ${state.firstPublishedAt}, created_at = ${state.createdAt}, edited_at = ${state.editedAt},
      revision = coalesce(${revision}, revision)
    where id = ${id}
  `.execute(tx);
}

interface Draft {
  /** As the API sends it. */
  readonly content: unknown;
  readonly picturePaths: readonly string[];
  readonly savedAt: Date;
}

export async function writeDraft(tx: Db, id: string, { content, picturePaths, savedAt }: Draft): Promise<void> {
  await sql`
    insert into product_drafts (product_id, content, picture_paths, saved_at)
    values (${id}, ${JSON.stringify(content)}::json, ${picturePaths}::text[], ${savedAt})
    on conflict (product_id) do update
    set content = excluded.content, picture_paths = excluded.picture_paths, saved_at = excluded.saved_at
  `.execute(tx);
}

export async function deleteDraft(tx: Db, id: string): Promise<void> {
  await sql`delete from product_drafts where product_id = ${id}`.execute(tx);
}

export async function deleteProduct(tx: Db, id: string): Promise<void> {
  await sql`delete from products where id = ${id}`.execute(tx);
}

interface ProductEdit {
  readonly version: number;
  readonly at: Date;
  readonly by: string;
  readonly fields: readonly string[];
}

/** Records who changed what, and forgets the oldest records. */
export async function recordEdit(tx: Db, id: string, { version, at, by, fields }: ProductEdit): Promise<void> {
  await sql`
    insert into product_edits (product_id, version, edited_at, edited_by, fields)
    values (${id}, ${version}, ${at}, ${by}, ${fields}::text[])
  `.execute(tx);
  await sql`
    delete from product_edits where product_id = ${id} and version <= ${version - KEPT_EDITS}
  `.execute(tx);
}

/** Fields changed after a version, and the last one who changed something. */
export async function listEditsSince(
  db: Db,
  id: string,
  version: number,
): Promise<readonly { readonly by: string | null; readonly at: Date; readonly fields: readonly string[] }[]> {
  const { rows } = await sql<{ by: string | null; at: Date; fields: string[] }>`
    select users.username as by, edited_at as at, fields
    from product_edits left join users on users.id = edited_by
    where product_id = ${id} and version > ${version}
    order by version
  `.execute(db);
  return rows;
}

/** Keeps a former URL of a product, which then redirects unless another product has the slug. */
export async function keepFormerSlug(tx: Db, id: string, slug: string): Promise<void> {
  await sql`
    insert into former_product_slugs (slug, product_id) values (${slug}, ${id})
    on conflict (slug) do update set product_id = excluded.product_id
  `.execute(tx);
}

/** Which of these slugs, article numbers and SKUs other products have. */
export async function findTaken(
  db: Db,
  productId: string,
  { slug, article, skus }: { readonly slug: string; readonly article: string; readonly skus: readonly string[] },
): Promise<{
  readonly slug: string | null;
  readonly article: string | null;
  readonly skus: ReadonlyMap<string, string>;
}> {
  const { rows } = await sql<{ kind: 'slug' | 'article' | 'sku'; value: string; name: string }>`
    select 'slug' as kind, slug as value, name from products where slug = ${slug} and id <> ${productId}
    union all
    select 'article', article, name from products where article = ${article} and id <> ${productId}
    union all
    select 'sku', sku, name from product_variants join products on products.id = product_id
    where sku = any(${skus}::text[]) and product_id <> ${productId}
  `.execute(db);
  const find = (kind: 'slug' | 'article'): string | null => rows.find((row) => row.kind === kind)?.name ?? null;
  return {
    slug: find('slug'),
    article: find('article'),
    skus: new Map(rows.filter(({ kind }) => kind === 'sku').map(({ value, name }) => [value, name])),
  };
}

/** SKUs of other products that begin with an article number and a hyphen, or equal it. */
export async function listSkusLike(db: Db, productId: string, article: string): Promise<readonly string[]> {
  const { rows } = await sql<{ sku: string }>`
    select sku from product_variants
    where (
      lower(sku) = lower(${article})
      or lower(sku) ~>=~ (lower(${article}) || '-') and lower(sku) ~<~ (lower(${article}) || ${`-${LAST_CHARACTER}`})
    ) and product_id <> ${productId}
  `.execute(db);
  return rows.map(({ sku }) => sku);
}

/** Slugs and article numbers that begin with these. */
export async function listNamesLike(
  db: Db,
  slug: string,
  article: string,
): Promise<{ readonly slugs: ReadonlySet<string>; readonly articles: ReadonlySet<string> }> {
  const { rows } = await sql<{ slug: string; article: string }>`
    select slug, article from products where starts_with(slug, ${slug}) or starts_with(article, ${article})
  `.execute(db);
  return { slugs: new Set(rows.map((row) => row.slug)), articles: new Set(rows.map((row) => row.article)) };
}
