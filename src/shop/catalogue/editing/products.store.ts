/** Reads whole products in sets, and writes what is around their content: state, drafts and history. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '#src/shop/money.ts';
import { keepPictures } from '../chapters/chapters.ts';
import { listOwnPaths, selectOffered, toEditedVariant } from './product-content.ts';
import type { EditedPicture, ProductContent } from './product-content.ts';
import { COLUMN_FIELDS, pickColumns } from './product-fields.ts';
import type { ColumnField } from './product-fields.ts';
import { LAST_CHARACTER } from './product-search.ts';
import type { StoredProduct, VariantState } from './stored-product.ts';

/** Versions of which the changed fields are kept. */
export const KEPT_EDITS = 100;

/** Amounts are text in JSON, whose numbers are not exact. */
type ReadVariant = Omit<VariantState, 'own_price_usd' | 'pictures'> & {
  readonly own_price: string | null;
  readonly images: readonly string[];
};

interface ReadRow
  extends
    Pick<ProductContent, ColumnField | 'description_markdown'>,
    Omit<StoredProduct, 'content' | 'variants' | 'position'> {
  readonly position: number;
  readonly base_price_cents: bigint;
  readonly specification_record: Readonly<Record<string, string>>;
  readonly images: readonly string[];
  readonly main_image: string;
  readonly picture_alts: Readonly<Record<string, string>>;
  readonly values: readonly { readonly id: string; readonly increase: string; readonly images: readonly string[] }[];
  readonly variants: readonly ReadVariant[];
}

/**
 * Locks products until the transaction ends, in ascending id to prevent deadlocks: one edit of them runs at a time.
 * @returns whether all exist
 */
export async function lockProducts(tx: Db, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from products where id = any(${ids}::uuid[]) order by id for no key update
  `.execute(tx);
  return rows.length === ids.length;
}

const COLUMNS = sql.join(COLUMN_FIELDS.map((field) => sql.ref(`products.${field}`)));

/** Products in any state, in no order. */
export async function readProducts(db: Db, condition: RawBuilder<unknown>): Promise<readonly StoredProduct[]> {
  const { rows } = await sql<ReadRow>`
    select products.id, version, revision, ${COLUMNS}, base_price_cents, specifications as specification_record, images,
      main_image, picture_alts, products.position, is_published as "isPublished",
      first_published_at as "firstPublishedAt", created_at as "createdAt", products.edited_at as "editedAt",
      (
        select users.username from product_edits join users on users.id = product_edits.edited_by
        where product_edits.product_id = products.id and product_edits.version = products.version
      ) as "editedBy",
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
          'id', id, 'value_ids', property_value_ids, 'own_price', own_price_cents::text, 'sku', sku,
          'gtin', coalesce(gtin, ''), 'weight_grams', product_variants.weight_grams, 'images', images,
          'is_published', is_published, 'position', product_variants.position,
          'available', (select available from variant_stock where variant_id = product_variants.id)
        ) order by product_variants.position, id), '[]')
        from product_variants where product_id = products.id
      ) as variants,
      (select markdown from product_descriptions where product_id = products.id) as description_markdown,
      (select content from product_drafts where product_id = products.id) as draft
    from products where ${condition}
  `.execute(db);
  return rows.map(toProduct);
}

export async function readProduct(db: Db, id: string): Promise<StoredProduct | null> {
  const [product = null] = await readProducts(db, sql`products.id = ${id}`);
  return product;
}

/** In the order of the ids. */
export async function readProductsById(db: Db, ids: readonly string[]): Promise<readonly StoredProduct[]> {
  const products = await readProducts(db, sql`products.id = any(${ids}::uuid[])`);
  const byId = new Map(products.map((product) => [product.id, product]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function toProduct(row: ReadRow): StoredProduct {
  const { id, version, revision, position, isPublished, firstPublishedAt, createdAt, editedAt, editedBy, draft } = row;
  const toPictures = (paths: readonly string[]): EditedPicture[] =>
    paths.map((path) => ({ path, alt: row.picture_alts[path] ?? '' }));
  const values = row.values.map((value) => ({
    id: value.id,
    increase_usd: cents(BigInt(value.increase)),
    pictures: toPictures(value.images),
  }));
  const variants = row.variants.map(({ own_price: price, images, ...variant }) => ({
    ...variant,
    own_price_usd: price === null ? null : cents(BigInt(price)),
    pictures: toPictures(images),
  }));
  const content = {
    ...pickColumns(row),
    base_price_usd: cents(row.base_price_cents),
    description_markdown: row.description_markdown,
    specifications: Object.entries(row.specification_record).map(([name, value]) => ({ name, value })),
    pictures: toPictures([...new Set([row.main_image, ...row.images].filter((path) => path !== ''))]),
    values,
    variants: selectOffered(values, variants).map(toEditedVariant),
  };
  const state = { version, revision, isPublished, firstPublishedAt, createdAt, editedAt, editedBy };
  // A picture of a former value is no longer the product's.
  const chapters = keepPictures(content.chapters, new Set(listOwnPaths(content)));
  return { id, position, content: { ...content, chapters }, variants, draft, ...state };
}

type ProductStatus = Pick<StoredProduct, 'version' | 'isPublished' | 'firstPublishedAt' | 'createdAt' | 'editedAt'>;

/** Changes version, time and publication only. */
export async function writeState(tx: Db, id: string, state: ProductStatus, revision: bigint | null): Promise<void> {
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

export async function deleteDrafts(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from product_drafts where product_id = any(${ids}::uuid[])`.execute(tx);
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
