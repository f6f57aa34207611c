import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChanges } from '#src/shop/audit-log/service.ts';
import type { PriceRefusal } from '#src/shop/price-reduction.ts';
import { applyPatch, describePriceChange, planBulkEdit, toBulkProduct } from './bulk-edit.ts';
import type { BulkEdit, BulkProduct } from './bulk-edit.ts';
import { MAX_BULK } from './product-limits.ts';
import type { BulkChange } from './contract.ts';
import * as store from './product-list.store.ts';
import type { ListedRow, ProductFilter } from './product-list.store.ts';
import type { ProductSort } from './product-state.ts';
import type { ProductEditingOptions } from './service.ts';
import { lockProducts, readProductsById } from './products.store.ts';
import { listPresentSalePricesOf } from '../sale-prices/store.ts';
import type { StoredProduct } from './stored-product.ts';
import { findCategoryName, listCategoryNames } from './structure.store.ts';
import { stage, writeProducts } from './write-products.store.ts';

interface PreviewedChanges {
  readonly changes: {
    readonly id: string;
    readonly version: number;
    readonly name: string;
    readonly before: string;
    readonly after: string;
    readonly large_changes: { readonly before: string; readonly after: string }[];
  }[];
  readonly skipped: { readonly id: string; readonly name: string; readonly reason: string }[];
}

export type PreviewResult =
  | { readonly ok: true; readonly preview: PreviewedChanges }
  | { readonly ok: false; readonly reason: 'too-many' | 'no-category' };

export type BulkResult =
  | { readonly ok: true; readonly changed: number }
  | { readonly ok: false; readonly reason: 'no-category' | PriceRefusal }
  | { readonly ok: false; readonly reason: 'outdated'; readonly names: readonly string[] };

interface VersionedId {
  readonly id: string;
  readonly version: number;
}

/** The list of products for staff, and edits of several at once. */
export class BulkEdits {
  readonly #options: Pick<ProductEditingOptions, 'db' | 'clock' | 'revisions' | 'priceGuard'>;

  constructor(options: Pick<ProductEditingOptions, 'db' | 'clock' | 'revisions' | 'priceGuard'>) {
    this.#options = options;
  }

  list(
    filter: ProductFilter,
    sort: ProductSort,
    page: number,
  ): Promise<{ readonly products: readonly ListedRow[]; readonly total: number }> {
    return store.listProducts(this.#options.db, { ...filter, now: this.#options.clock.now() }, sort, page);
  }

  /** What a change would do to these products, or to all that match. Changes nothing. */
  async preview(
    { ids, filter }: { readonly ids?: readonly string[] | undefined; readonly filter?: ProductFilter | undefined },
    change: BulkChange,
  ): Promise<PreviewResult> {
    const { db, clock } = this.#options;
    const now = clock.now();
    const chosen = ids ?? (await store.listMatchingIds(db, { ...filter, now }, MAX_BULK + 1));
    if (chosen.length > MAX_BULK) return { ok: false, reason: 'too-many' };
    const edit = await toEdit(db, change);
    if (edit === null) return { ok: false, reason: 'no-category' };
    const preview: PreviewedChanges = { changes: [], skipped: [] };
    for (const { stored, product } of await readForBulkEdit(db, [...new Set(chosen)], now)) {
      const { id, version } = stored;
      const { name } = stored.content;
      const plan = planBulkEdit(product, edit);
      if (plan.ok) {
        const { before, after, large } = plan;
        preview.changes.push({ id, version, name, before, after, large_changes: [...large] });
      } else preview.skipped.push({ id, name, reason: plan.reason });
    }
    return { ok: true, preview };
  }

  /** Changes all of these products, or none if one of them was changed since its version. */
  async apply(products: readonly VersionedId[], change: BulkChange, by: StaffActor): Promise<BulkResult> {
    const { db, revisions } = this.#options;
    const result = await transact(db, (tx) => this.#applyIn(tx, products, change, by));
    if (result.ok) await revisions.announce();
    return result;
  }

  async #applyIn(tx: Db, products: readonly VersionedId[], change: BulkChange, by: StaffActor): Promise<BulkResult> {
    const versions = new Map(products.map(({ id, version }) => [id, version]));
    await lockProducts(tx, [...versions.keys()]);
    const edit = await toEdit(tx, change);
    if (edit === null) return { ok: false, reason: 'no-category' };
    const now = this.#options.clock.now();
    const found = await readForBulkEdit(tx, [...versions.keys()], now);
    const planned = found.map((entry) => ({ ...entry, plan: planBulkEdit(entry.product, edit) }));
    const writes = planned.flatMap(({ stored, product, plan }) =>
      plan.ok && stored.version === versions.get(stored.id) ? [{ stored, product, ...plan }] : [],
    );
    if (writes.length < versions.size) {
      const written = new Set(writes.map(({ stored }) => stored.id));
      const names = found.filter(({ stored }) => !written.has(stored.id)).map(({ stored }) => stored.content.name);
      return { ok: false, reason: 'outdated', names };
    }
    for (const { product, patch } of writes) {
      const refused = this.#options.priceGuard(by, describePriceChange(product, patch));
      if (refused !== null) return { ok: false, reason: refused };
    }
    const revision = await incrementRevision(tx, 'catalogue');
    const field = FIELDS[edit.kind];
    const staged = stage(
      writes.map(({ stored, patch }) => ({ product: applyPatch(stored, patch), isNew: false, fields: [field] })),
    );
    await writeProducts(tx, staged, { revision, now, by: by.userId });
    await recordChanges(
      tx,
      writes.map(({ stored: { id, content }, before, after }) => ({
        at: now,
        by,
        action: ACTIONS[edit.kind],
        subject: { kind: 'product', id, name: content.name },
        before: { [field]: before },
        after: { [field]: after },
      })),
    );
    return { ok: true, changed: writes.length };
  }
}

/** What bulk edits of these products depend on, in the order of the ids. */
async function readForBulkEdit(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<readonly { readonly stored: StoredProduct; readonly product: BulkProduct }[]> {
  const found = await readProductsById(db, ids);
  const salePrices = await listPresentSalePricesOf(db, ids, now);
  const names = await listCategoryNames(
    db,
    found.map(({ content }) => content.category_id),
  );
  return found.map((stored) => {
    const categoryName = names.get(stored.content.category_id) ?? '';
    return { stored, product: toBulkProduct(stored, { categoryName, salePrices: salePrices.get(stored.id) ?? [] }) };
  });
}

/** What the history of a product shows as changed. */
const FIELDS: Readonly<Record<BulkEdit['kind'], string>> = {
  publish: 'published',
  withdraw: 'withdrawn',
  category: 'category_id',
  price: 'base_price_usd',
};

const ACTIONS: Readonly<Record<BulkEdit['kind'], string>> = {
  publish: 'product.published',
  withdraw: 'product.withdrawn',
  category: 'product.edited',
  price: 'product.edited',
};

/** Null if the category does not exist. */
async function toEdit(db: Db, change: BulkChange): Promise<BulkEdit | null> {
  switch (change.kind) {
    case 'publish':
    case 'withdraw':
      return change;
    case 'category': {
      const categoryName = await findCategoryName(db, change.category_id);
      return categoryName === null ? null : { kind: 'category', categoryId: change.category_id, categoryName };
    }
    case 'price-set':
      return { kind: 'price', edit: { kind: 'set', priceCents: change.usd } };
    case 'price-add':
      return { kind: 'price', edit: { kind: 'add', amountCents: change.usd } };
    default:
      return { kind: 'price', edit: { kind: 'percent', hundredths: change.percent } };
  }
}
