import { v7 } from 'uuid';
import { isForeignKeyViolation, isUniqueViolation, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { Problems } from './check-product.ts';
import type { EditingOptions } from './service.ts';
import { findStructureProblems, formatUse, listRemovedValues } from './structure-edit.ts';
import type { EditedProperty } from './structure-edit.ts';
import * as store from './structure.store.ts';
import type { NamedTable } from './structure.store.ts';

export type StructureResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'not-found' }
  | { readonly ok: false; readonly reason: 'changed-meanwhile' }
  | { readonly ok: false; readonly reason: 'invalid' | 'taken' | 'in-use'; readonly problems: Problems };

/** What a change did, for the audit log. */
type Recorded = Pick<RecordedChange, 'action' | 'subject' | 'before' | 'after'>;
type ChangeToRecord =
  | { readonly ok: true; readonly id: string; readonly recorded: Recorded }
  | (StructureResult & { readonly ok: false });

interface NamedEdit {
  readonly name: string;
  readonly slug: string;
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
  }[];
}

const inUse = (problems: Problems): StructureResult & { readonly ok: false } => ({
  ok: false,
  reason: 'in-use',
  problems,
});

/** Categories with their properties and values, and brands. Each change is one transaction. */
export class StructureEditing {
  readonly #options: Pick<EditingOptions, 'db' | 'clock' | 'revisions'>;

  constructor(options: Pick<EditingOptions, 'db' | 'clock' | 'revisions'>) {
    this.#options = options;
  }

  async list(): Promise<StructureView> {
    const rows = await transact(this.#options.db, store.readStructure, { isolationLevel: 'repeatable read' });
    const valuesOf = Map.groupBy(rows.values, ({ propertyId }) => propertyId);
    const propertiesOf = Map.groupBy(rows.properties, ({ categoryId }) => categoryId);
    const showNamed = ({ id, version, name, slug, productCount }: (typeof rows.brands)[number]) => ({
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
      brands: rows.brands.map(showNamed),
    };
  }

  createCategory({ name, slug }: NamedEdit, by: StaffActor): Promise<StructureResult> {
    const id = v7();
    return this.#change(by, async (tx) => {
      await increment(tx);
      await store.insertCategory(tx, { id, name, slug });
      return { ok: true, id, recorded: toCreated('categories', { id, name, slug }) };
    });
  }

  createBrand({ name, slug }: NamedEdit, by: StaffActor): Promise<StructureResult> {
    const id = v7();
    return this.#change(by, async (tx) => {
      await increment(tx);
      await store.insertBrand(tx, { id, name, slug });
      return { ok: true, id, recorded: toCreated('brands', { id, name, slug }) };
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
  ): Promise<StructureResult> {
    return this.#change(by, async (tx) => {
      const found = await lock(tx, 'categories', id, version);
      if (!found.ok) return found;
      const stored = await readStored(tx, id);
      const problems = findStructureProblems(stored, properties);
      if (Object.keys(problems).length > 0) return { ok: false, reason: 'invalid', problems };
      const removed = listRemovedValues(stored, properties);
      const uses = await store.countUses(
        tx,
        removed.map((value) => value.id),
      );
      const used = removed.find((value) => uses.has(value.id));
      if (used) {
        const message = `“${used.value}” is used by ${formatUse(uses.get(used.id) ?? 0)}, former variants included. It can be renamed, but not deleted`;
        return inUse({ properties: message });
      }
      await increment(tx);
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
      const recorded = {
        action: 'category.edited',
        subject: { kind: 'category', id, name: edit.name },
        before: { name: found.name, slug: found.slug, ...toPropertyFields(stored) },
        after: { name: edit.name, slug: edit.slug, ...toPropertyFields(written) },
      } as const;
      return { ok: true, id, recorded };
    });
  }

  saveBrand(
    id: string,
    { version, name, slug }: NamedEdit & { readonly version: number },
    by: StaffActor,
  ): Promise<StructureResult> {
    return this.#change(by, async (tx) => {
      const found = await lock(tx, 'brands', id, version);
      if (!found.ok) return found;
      await increment(tx);
      await store.updateBrand(tx, { id, name, slug });
      const recorded = {
        action: 'brand.edited',
        subject: { kind: 'brand', id, name },
        before: { name: found.name, slug: found.slug },
        after: { name, slug },
      } as const;
      return { ok: true, id, recorded };
    });
  }

  deleteCategory(id: string, by: StaffActor): Promise<StructureResult> {
    return this.#delete('categories', id, by, store.deleteCategory);
  }

  deleteBrand(id: string, by: StaffActor): Promise<StructureResult> {
    return this.#delete('brands', id, by, store.deleteBrand);
  }

  sortCategories(ids: readonly string[], by: StaffActor): Promise<StructureResult> {
    return this.#sort('categories', ids, by, store.sortCategories);
  }

  sortBrands(ids: readonly string[], by: StaffActor): Promise<StructureResult> {
    return this.#sort('brands', ids, by, store.sortBrands);
  }

  #delete(
    table: NamedTable,
    id: string,
    by: StaffActor,
    remove: (tx: Db, id: string) => Promise<void>,
  ): Promise<StructureResult> {
    return this.#change(by, async (tx) => {
      const found = await store.lockNamed(tx, table, id);
      if (found === null) return { ok: false, reason: 'not-found' };
      const drafts = await store.countDrafts(tx, id);
      const count = found.productCount + drafts;
      if (count > 0) return inUse({ name: `It has ${formatUse(count)}, drafts included. Move or delete them first` });
      await increment(tx);
      await remove(tx, id);
      const { name, slug } = found;
      const recorded = {
        action: `${KINDS[table]}.deleted`,
        subject: { kind: KINDS[table], id, name },
        before: { name, slug },
        after: null,
      };
      return { ok: true, id, recorded };
    });
  }

  #sort(
    table: NamedTable,
    ids: readonly string[],
    by: StaffActor,
    write: (tx: Db, ids: readonly string[]) => Promise<void>,
  ): Promise<StructureResult> {
    return this.#change(by, async (tx) => {
      const present = await store.lockAll(tx, table);
      const isComplete = ids.toSorted().join() === present.toSorted().join();
      if (!isComplete) return { ok: false, reason: 'changed-meanwhile' };
      await increment(tx);
      const before = { order: await store.listNames(tx, table) };
      await write(tx, ids);
      const after = { order: await store.listNames(tx, table) };
      const kind = KINDS[table];
      return {
        ok: true,
        id: '',
        recorded: { action: `${kind}.sorted`, subject: { kind, id: 'order' }, before, after },
      };
    });
  }

  async #change(by: StaffActor, work: (tx: Db) => Promise<ChangeToRecord>): Promise<StructureResult> {
    const { db, clock, revisions } = this.#options;
    try {
      const result = await transact(db, async (tx): Promise<StructureResult> => {
        const changed = await work(tx);
        if (!changed.ok) return changed;
        await recordChange(tx, { at: clock.now(), by, ...changed.recorded });
        return { ok: true, id: changed.id };
      });
      if (result.ok) await revisions.announce();
      return result;
    } catch (error) {
      if (isUniqueViolation(error)) return { ok: false, reason: 'taken', problems: describeTaken(error) };
      if (isForeignKeyViolation(error)) return inUse({ name: 'A product uses it. Reload the page' });
      throw error;
    }
  }
}

const KINDS = { categories: 'category', brands: 'brand' } as const;

const toCreated = (table: NamedTable, { id, name, slug }: NamedEdit & { readonly id: string }): Recorded => ({
  action: `${KINDS[table]}.created`,
  subject: { kind: KINDS[table], id, name },
  before: null,
  after: { name, slug },
});

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

/** Processes read products again as well, since these are linked with what changed. */
async function increment(tx: Db): Promise<void> {
  await incrementRevision(tx, 'catalogue');
  await incrementRevision(tx, 'catalogue-structure');
}

async function lock(
  tx: Db,
  table: NamedTable,
  id: string,
  version: number,
): Promise<
  | { readonly ok: true; readonly name: string; readonly slug: string }
  | { readonly ok: false; readonly reason: 'not-found' | 'changed-meanwhile' }
> {
  const found = await store.lockNamed(tx, table, id);
  if (found === null) return { ok: false, reason: 'not-found' };
  return found.version === version
    ? { ok: true, name: found.name, slug: found.slug }
    : { ok: false, reason: 'changed-meanwhile' };
}

async function readStored(tx: Db, categoryId: string) {
  const { properties, values } = await store.readProperties(tx, categoryId);
  const valuesOf = Map.groupBy(values, ({ propertyId }) => propertyId);
  return properties.map(({ id, name }) => ({ id, name, values: valuesOf.get(id) ?? [] }));
}
