/** Writes products with set-based statements, in the transaction of the caller. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { recordPrices } from '../sale-prices/record-prices.store.ts';
import { COLUMN_FIELDS, FORMER_VALUES, getColumnType } from './product-fields.ts';
import { toTarget } from './product-target.ts';
import { KEPT_EDITS } from './products.store.ts';
import type { WrittenProduct } from './stored-product.ts';

/** Rows named `staged` for a `from` clause: `product_id`, `slug`, `is_new` and `target`, which is the product as JSON. */
export type StagedProducts = RawBuilder<unknown>;

/** @param fields changed ones, for the history */
export const stage = (
  products: readonly {
    readonly product: WrittenProduct;
    readonly isNew: boolean;
    readonly fields: readonly string[];
  }[],
): StagedProducts => {
  const rows = products.map(({ product, isNew, fields }) => ({
    product_id: product.id,
    slug: product.content.slug,
    is_new: isNew,
    target: toTarget(product, fields),
  }));
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as staged (
    product_id uuid, slug text, is_new boolean, target json
  )`;
};

type Column = readonly [name: string, type: string];

const PRODUCT_COLUMNS: readonly Column[] = [
  // Slugs are those of the staged rows.
  ...COLUMN_FIELDS.filter((field) => field !== 'slug').map((field) => [field, getColumnType(field)] as const),
  ['base_price_cents', 'bigint'],
  ['specifications', 'json'],
  ['images', 'text[]'],
  ['main_image', 'text'],
  ['picture_alts', 'json'],
  ['is_published', 'boolean'],
];
const VARIANT_COLUMNS: readonly Column[] = [
  ['id', 'uuid'],
  ['property_value_ids', 'uuid[]'],
  ['own_price_cents', 'bigint'],
  ['sku', 'text'],
  ['gtin', 'text'],
  ['weight_grams', 'integer'],
  ['images', 'text[]'],
  ['is_published', 'boolean'],
  ['position', 'integer'],
];

const listNames = (columns: readonly Column[], of = '') =>
  sql.join(columns.map(([name]) => sql.ref(of === '' ? name : `${of}.${name}`)));
/** Of the row that becomes a product. */
const listProductValues = () =>
  sql.join(
    PRODUCT_COLUMNS.map(([name]) => {
      const value = sql.ref(`entry.${name}`);
      const former = FORMER_VALUES.get(name);
      return former === undefined ? value : sql`coalesce(${value}, ${former})`;
    }),
  );
const defineColumns = (columns: readonly Column[]) =>
  sql.join(columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));
const updateColumns = (columns: readonly Column[]) =>
  sql.join(columns.map(([name]) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));

const UPDATED_VARIANT_COLUMNS = VARIANT_COLUMNS.filter(([name]) => name !== 'id');
const variantEntries = sql`json_to_recordset(staged.target -> 'variants') as entry (${defineColumns(VARIANT_COLUMNS)})`;

/**
 * Gives changed article numbers, SKUs and combinations a temporary value, so that products and variants can exchange
 * them. Call for all products before the first is written.
 */
export async function releaseNames(tx: Db, staged: StagedProducts): Promise<void> {
  await sql`
    update products set article = products.id::text
    from ${staged}
    where products.id = staged.product_id and products.article <> staged.target ->> 'article'
  `.execute(tx);
  await sql`
    with entries as materialized (
      select entry.id, entry.sku, entry.property_value_ids from ${staged}, ${variantEntries} where not staged.is_new
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

/** What products are written with. */
interface WriteContext {
  readonly revision: bigint;
  readonly now: Date;
  /** Null: their account was erased. */
  readonly by: string | null;
}

/**
 * Stores products, new or not, as buyers see them, with their next version, history and prices on record. Drafts stay,
 * and Markdown unless the description changes. A taken slug, article number or SKU is a unique violation.
 * @returns their ids
 */
export async function writeProducts(
  tx: Db,
  staged: StagedProducts,
  { revision, now, by }: WriteContext,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into products (
      id, slug, revision, version, created_at, edited_at, position, first_published_at, ${listNames(PRODUCT_COLUMNS)}
    )
    select staged.product_id, staged.slug, ${revision}, 1, ${now}, ${now},
      coalesce(entry.position, (select coalesce(max(products.position) + 1, 0) from products)),
      case when entry.is_published then ${now}::timestamptz end, ${listProductValues()}
    from ${staged}, json_to_record(staged.target) as entry (
      position integer, ${defineColumns(PRODUCT_COLUMNS)}
    )
    on conflict (id) do update set
      slug = excluded.slug, revision = excluded.revision, version = products.version + 1,
      edited_at = excluded.edited_at, position = excluded.position,
      -- Products are newest when they first go on sale.
      created_at = case when products.first_published_at is null and excluded.is_published
        then excluded.edited_at else products.created_at end,
      first_published_at = coalesce(products.first_published_at, excluded.first_published_at),
      ${updateColumns(PRODUCT_COLUMNS)}
    returning id
  `.execute(tx);
  const ids = rows.map(({ id }) => id);
  await sql`
    insert into product_sales (product_id)
    select staged.product_id from ${staged} where staged.is_new
    on conflict do nothing
  `.execute(tx);
  await recordEdits(tx, staged, { now, by });
  await writeValues(tx, staged);
  await writeVariants(tx, staged);
  await recordPrices(tx, ids, now);
  return ids;
}

/** Records who changed what, and forgets the oldest records. */
async function recordEdits(
  tx: Db,
  staged: StagedProducts,
  { now, by }: Pick<WriteContext, 'now' | 'by'>,
): Promise<void> {
  await sql`
    insert into product_edits (product_id, version, edited_at, edited_by, fields)
    select products.id, products.version, ${now}, ${by},
      array(select json_array_elements_text(staged.target -> 'edited_fields'))
    from ${staged} join products on products.id = staged.product_id
  `.execute(tx);
  await sql`
    delete from product_edits edit
    using ${staged} join products on products.id = staged.product_id
    where edit.product_id = products.id and edit.version <= products.version - ${KEPT_EDITS}
  `.execute(tx);
}

async function writeValues(tx: Db, staged: StagedProducts): Promise<void> {
  await sql`
    with kept as materialized (
      select staged.product_id, entry.value_id
      from ${staged} left join lateral json_to_recordset(staged.target -> 'values') as entry (value_id uuid) on true
      where not staged.is_new
    )
    delete from product_values offered
    where offered.product_id in (select product_id from kept) and not exists (
      select from kept where kept.product_id = offered.product_id and kept.value_id = offered.value_id
    )
  `.execute(tx);
  await sql`
    insert into product_values (product_id, value_id, images, increase_cents)
    select staged.product_id, entry.value_id, entry.images, entry.increase_cents
    from ${staged}, json_to_recordset(staged.target -> 'values')
      as entry (value_id uuid, increase_cents bigint, images text[])
    on conflict (product_id, value_id) do update
      set images = excluded.images, increase_cents = excluded.increase_cents
      where (product_values.images, product_values.increase_cents)
        is distinct from (excluded.images, excluded.increase_cents)
  `.execute(tx);
}

async function writeVariants(tx: Db, staged: StagedProducts): Promise<void> {
  await sql`
    insert into product_variants (product_id, ${listNames(VARIANT_COLUMNS)})
    select staged.product_id, ${listNames(VARIANT_COLUMNS, 'entry')} from ${staged}, ${variantEntries}
    on conflict (id) do update set ${updateColumns(UPDATED_VARIANT_COLUMNS)}
      where (${listNames(UPDATED_VARIANT_COLUMNS, 'product_variants')})
        is distinct from (${listNames(UPDATED_VARIANT_COLUMNS, 'excluded')})
  `.execute(tx);
}
