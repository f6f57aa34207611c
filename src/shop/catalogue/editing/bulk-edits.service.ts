import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChanges } from '#src/shop/audit-log/service.ts';
import type { PriceRefusal } from '#src/shop/price-reduction.ts';
import { describePriceChange, planBulkEdit } from './bulk-edit.ts';
import type { BulkEdit } from './bulk-edit.ts';
import { MAX_BULK } from './contract.ts';
import type { BulkChange } from './contract.ts';
import * as store from './product-list.store.ts';
import type { ListedRow, ProductFilter } from './product-list.store.ts';
import type { ProductSort } from './product-state.ts';
import type { EditingOptions } from './service.ts';
import { recordPrices } from '../sale-prices/record-prices.store.ts';
import { findCategoryName } from './structure.store.ts';

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
  readonly #options: Pick<EditingOptions, 'db' | 'clock' | 'revisions' | 'priceGuard'>;

  constructor(options: Pick<EditingOptions, 'db' | 'clock' | 'revisions' | 'priceGuard'>) {
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
    for (const product of await store.readForBulkEdit(db, [...new Set(chosen)], now)) {
      const { id, version, name } = product;
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
    await store.lockProducts(tx, [...versions.keys()]);
    const edit = await toEdit(tx, change);
    if (edit === null) return { ok: false, reason: 'no-category' };
    const now = this.#options.clock.now();
    const rows = await store.readForBulkEdit(tx, [...versions.keys()], now);
    const planned = rows.map((row) => ({ row, plan: planBulkEdit(row, edit) }));
    const writes = planned.flatMap(({ row, plan }) =>
      plan.ok && row.version === versions.get(row.id) ? [{ id: row.id, patch: plan.patch }] : [],
    );
    if (writes.length < versions.size) {
      const written = new Set(writes.map(({ id }) => id));
      return {
        ok: false,
        reason: 'outdated',
        names: rows.filter(({ id }) => !written.has(id)).map(({ name }) => name),
      };
    }
    for (const { row, plan } of planned) {
      const refused = plan.ok ? this.#options.priceGuard(by, describePriceChange(row, plan.patch)) : null;
      if (refused !== null) return { ok: false, reason: refused };
    }
    const revision = await incrementRevision(tx, 'catalogue');
    await store.writeBulkEdit(tx, writes, { revision, now, editedBy: by.userId, field: FIELDS[edit.kind] });
    await recordPrices(
      tx,
      writes.map(({ id }) => id),
      now,
    );
    const field = FIELDS[edit.kind];
    await recordChanges(
      tx,
      planned.flatMap(({ row: { id, name }, plan }) =>
        plan.ok
          ? [
              {
                at: now,
                by,
                action: ACTIONS[edit.kind],
                subject: { kind: 'product', id, name },
                before: { [field]: plan.before },
                after: { [field]: plan.after },
              },
            ]
          : [],
      ),
    );
    return { ok: true, changed: writes.length };
  }
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
