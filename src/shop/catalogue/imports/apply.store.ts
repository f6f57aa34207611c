/** What an import checks and writes besides its products, in the transaction of the caller. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision, readRevision } from '#src/platform/database/revisions.ts';
import type { VariantCost } from '../costs/store.ts';
import { cents } from '#src/shop/money.ts';
import type { StagedProducts } from '../editing/write-products.store.ts';
import { CATALOGUE_TOPIC, STRUCTURE_TOPIC } from '../store.ts';

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
          or products.slug <> staged.slug or exists (
            select from json_to_recordset(staged.target -> 'costs') as entry (variant_id uuid, before bigint)
            left join variant_costs cost on cost.variant_id = entry.variant_id
            where cost.cost_cents is distinct from entry.before
          ) end
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

/** The planned products of a range. */
export const selectStaged = ({ importId, from, to }: StagedRange): StagedProducts => sql`(
  select product_id, slug, is_new, target from catalogue_import_products
  where import_id = ${importId} and position between ${from} and ${to}
) staged`;

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

/** Planned changes of costs. */
export async function listPlannedCosts(tx: Db, importId: string): Promise<readonly VariantCost[]> {
  const { rows } = await sql<{ variantId: string; cost: string }>`
    select entry.variant_id as "variantId", entry.after as cost
    from catalogue_import_products staged,
      json_to_recordset(staged.target -> 'costs') as entry (variant_id uuid, after text)
    where staged.import_id = ${importId}
  `.execute(tx);
  return rows.map(({ variantId, cost }) => ({ variantId, costCents: cents(BigInt(cost)) }));
}
