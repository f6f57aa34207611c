import { v7 } from 'uuid';
import { isForeignKeyViolation, isUniqueViolation, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { Refusal, refuseInvalid } from '#src/platform/http/call.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { AuditFields } from '#src/shop/audit-log/changed-fields.ts';
import { changeDocument, newDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { DocumentChange, EditingOptions } from '#src/shop/editing/service.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { Problems } from './check-product.ts';
import { findStructureProblems, formatUse, listRemovedValues } from './structure-edit.ts';
import type { EditedProperty } from './structure-edit.ts';
import * as store from './structure.store.ts';
import type { NamedTable } from './structure.store.ts';
import { toGivenSafety } from '../compliance/product-safety.ts';
import type { ProductSafety } from '../compliance/product-safety.ts';

type Changed = Promise<{ readonly id: string } | Refusal>;

interface NamedEdit {
  readonly name: string;
  readonly slug: string;
}

interface BrandEdit extends NamedEdit {
  /** Null: none is given. Absent: it stays, or none. */
  readonly safety?: ProductSafety | null | undefined;
}

interface StructureView {
  readonly categories: {
    readonly id: string;
    readonly version: number;
    readonly name: string;
    readonly slug: string;
    readonly product_count: number;
    readonly properties: {
      readonly id: string;
      readonly name: string;
      readonly values: {
        readonly id: string;
        readonly value: string;
        readonly increase_usd: Cents;
        readonly product_count: number;
      }[];
    }[];
  }[];
  readonly brands: {
    readonly id: string;
    readonly version: number;
    readonly name: string;
    readonly slug: string;
    readonly product_count: number;
    readonly safety: ProductSafety | null;
  }[];
}

const refuseNames = (code: 'in-use' | 'taken', fields: Problems): Refusal =>
  new Refusal(409, code, Object.values(fields).join('. '), { fields });

/** Categories with their properties and values, and brands. Each change is one transaction. */
export class StructureEditing {
  readonly #options: EditingOptions;

  constructor(options: EditingOptions) {
    this.#options = options;
  }

  async list(): Promise<StructureView> {
    const rows = await transact(this.#options.db, store.readStructure, { isolationLevel: 'repeatable read' });
    const valuesOf = Map.groupBy(rows.values, ({ propertyId }) => propertyId);
    const propertiesOf = Map.groupBy(rows.properties, ({ categoryId }) => categoryId);
    const showNamed = ({ id, version, name, slug, productCount }: (typeof rows.categories)[number]) => ({
      id,
      version,
      name,
      slug,
      product_count: productCount,
    });
    return {
      categories: rows.categories.map((category) => ({
        ...showNamed(category),
        properties: (propertiesOf.get(category.id) ?? []).map((property) => ({
          id: property.id,
          name: property.name,
          values: (valuesOf.get(property.id) ?? []).map(({ id, value, increaseCents }) => ({
            id,
            value,
            increase_usd: cents(increaseCents),
            product_count: rows.uses.get(id) ?? 0,
          })),
        })),
      })),
      brands: rows.brands.map((brand) => ({ ...showNamed(brand), safety: brand.safety })),
    };
  }

  createCategory(edit: NamedEdit, by: StaffActor): Changed {
    return this.#create('categories', edit, by, store.insertCategory);
  }

  createBrand({ safety = null, ...edit }: BrandEdit, by: StaffActor): Changed {
    const given = safety && toGivenSafety(safety);
    return this.#create('brands', edit, by, (tx, row) => store.insertBrand(tx, { ...row, safety: given }), {
      ...(given !== null && { safety: given }),
    });
  }

  /** Ids of properties and values stay when they are renamed. Values that a product uses can't be left out. */
  saveCategory(
    id: string,
    {
      version,
      properties,
      ...edit
    }: NamedEdit & { readonly version: number; readonly properties: readonly EditedProperty[] },
    by: StaffActor,
  ): Changed {
    return this.#change('categories', id, by, {
      version,
      lock: (tx) => store.lockNamed(tx, 'categories', id),
      write: async (tx, found) => {
        const stored = await readStored(tx, id);
        const refused =
          refuseInvalid(findStructureProblems(stored, properties)) ?? (await refuseRemoval(tx, stored, properties));
        if (refused !== null) return refused;
        if (found.slug !== edit.slug) await store.keepFormerCategorySlug(tx, id, found.slug);
        await store.updateCategory(tx, { id, ...edit });
        const written = properties.map((property) => ({
          id: property.id ?? v7(),
          name: property.name,
          values: property.values.map((value) => ({
            id: value.id ?? v7(),
            value: value.value,
            increaseCents: value.increase_usd,
          })),
        }));
        await store.writeProperties(tx, id, written);
        const before = { name: found.name, slug: found.slug, ...toPropertyFields(stored) };
        const after = { name: edit.name, slug: edit.slug, ...toPropertyFields(written) };
        return { saved: { id }, recorded: { action: 'category.edited', before, after, name: edit.name } };
      },
    });
  }

  saveBrand(
    id: string,
    { version, name, slug, safety }: BrandEdit & { readonly version: number },
    by: StaffActor,
  ): Changed {
    return this.#change('brands', id, by, {
      version,
      lock: (tx) => store.lockNamed(tx, 'brands', id),
      write: async (tx, found) => {
        const stored = await store.readBrandSafety(tx, id);
        const given = safety === undefined ? stored : safety && toGivenSafety(safety);
        await store.updateBrand(tx, { id, name, slug, safety: given });
        const before = { name: found.name, slug: found.slug, safety: stored };
        const after = { name, slug, safety: given };
        return { saved: { id }, recorded: { action: 'brand.edited', before, after, name } };
      },
    });
  }

  deleteCategory(id: string, by: StaffActor): Changed {
    return this.#delete('categories', id, by, store.deleteCategory);
  }

  deleteBrand(id: string, by: StaffActor): Changed {
    return this.#delete('brands', id, by, store.deleteBrand);
  }

  sortCategories(ids: readonly string[], by: StaffActor): Changed {
    return this.#sort('categories', ids, by, store.sortCategories);
  }

  sortBrands(ids: readonly string[], by: StaffActor): Changed {
    return this.#sort('brands', ids, by, store.sortBrands);
  }

  #create(
    table: NamedTable,
    { name, slug }: NamedEdit,
    by: StaffActor,
    insert: (tx: Db, row: NamedEdit & { readonly id: string }) => Promise<void>,
    further: AuditFields = {},
  ): Changed {
    const id = v7();
    return this.#change(table, id, by, {
      lock: newDocument,
      write: async (tx) => {
        await insert(tx, { id, name, slug });
        const recorded = { action: `${KINDS[table]}.created`, before: null, after: { name, slug, ...further }, name };
        return { saved: { id }, recorded };
      },
    });
  }

  #delete(table: NamedTable, id: string, by: StaffActor, remove: (tx: Db, id: string) => Promise<void>): Changed {
    return this.#change(table, id, by, {
      lock: (tx) => store.lockNamed(tx, table, id),
      write: async (tx, { name, slug, productCount }) => {
        const count = productCount + (await store.countDrafts(tx, id));
        if (count > 0) {
          return refuseNames('in-use', {
            name: `It has ${formatUse(count)}, drafts included. Move or delete them first`,
          });
        }
        await remove(tx, id);
        const recorded = { action: `${KINDS[table]}.deleted`, before: { name, slug }, after: null, name };
        return { saved: { id }, recorded };
      },
    });
  }

  #sort(
    table: NamedTable,
    ids: readonly string[],
    by: StaffActor,
    write: (tx: Db, ids: readonly string[]) => Promise<void>,
  ): Changed {
    return this.#change(table, 'order', by, {
      what: `the order of ${table}`,
      lock: async (tx) => ({ present: await store.lockAll(tx, table), order: await store.listNames(tx, table) }),
      write: async (tx, { present, order }) => {
        if (ids.toSorted().join() !== present.toSorted().join()) return OUTDATED;
        await write(tx, ids);
        const after = { order: await store.listNames(tx, table) };
        return { saved: { id: '' }, recorded: { action: `${KINDS[table]}.sorted`, before: { order }, after } };
      },
    });
  }

  #change<Stored extends object>(
    table: NamedTable,
    id: string,
    by: StaffActor,
    steps: Pick<DocumentChange<Stored, { readonly id: string }>, 'version' | 'lock' | 'write'> & {
      readonly what?: string;
    },
  ): Changed {
    return changeDocument(this.#options, {
      by,
      what: `this ${KINDS[table]}`,
      subject: { kind: KINDS[table], id },
      // Processes read products again as well, since these are linked with what changed.
      topics: ['catalogue', 'catalogue-structure'],
      explain: (error) => {
        if (isUniqueViolation(error)) return refuseNames('taken', describeTaken(error));
        if (!isForeignKeyViolation(error)) return null;
        return refuseNames('in-use', { name: 'A product uses it. Reload the page' });
      },
      ...steps,
    });
  }
}

async function refuseRemoval(
  tx: Db,
  stored: Awaited<ReturnType<typeof readStored>>,
  properties: readonly EditedProperty[],
): Promise<Refusal | null> {
  const removed = listRemovedValues(stored, properties);
  const uses = await store.countUses(
    tx,
    removed.map((value) => value.id),
  );
  const used = removed.find((value) => uses.has(value.id));
  if (used === undefined) return null;
  return refuseNames('in-use', {
    properties: `“${used.value}” is used by ${formatUse(uses.get(used.id) ?? 0)}, former variants included. It can be renamed, but not deleted`,
  });
}

const KINDS = { categories: 'category', brands: 'brand' } as const;

/** One field for each property, with its values and their increases in cents. */
const toPropertyFields = (
  properties: readonly {
    readonly name: string;
    readonly values: readonly { readonly value: string; readonly increaseCents: bigint }[];
  }[],
) => ({
  properties: properties.map(({ name }) => name),
  ...Object.fromEntries(
    properties.map(({ name, values }) => [
      `property ${name}`,
      values.map(({ value, increaseCents }) => ({ value, increase_cents: increaseCents })),
    ]),
  ),
});

const isTaken = (error: unknown, field: 'name' | 'slug'): boolean =>
  isUniqueViolation(error, `categories_${field}_key`) || isUniqueViolation(error, `brands_${field}_key`);

const describeTaken = (error: unknown): Problems =>
  isTaken(error, 'slug') ? { slug: 'This URL is taken already' } : { name: 'This name is taken already' };

async function readStored(tx: Db, categoryId: string) {
  const { properties, values } = await store.readProperties(tx, categoryId);
  const valuesOf = Map.groupBy(values, ({ propertyId }) => propertyId);
  return properties.map(({ id, name }) => ({ id, name, values: valuesOf.get(id) ?? [] }));
}
