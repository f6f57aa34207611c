/** The inventory of all variants, for staff. */
import { toRowRange } from '#src/shop/list-pages.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { z } from 'zod';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { refuseOutdatedWith } from '#src/shop/editing/service.ts';
import type { StockAdjustments, StockChangeRequest, StockChangeResult, VariantCount } from '../adjustments/service.ts';
import { computeOnHand } from '../adjustments/plan-stock-change.ts';
import type { StockChangeProblem, StockLevels } from '../adjustments/plan-stock-change.ts';
import type { LowStock, ThresholdChange, ThresholdResult } from '../low-stock/service.ts';
import type { inventoryApi } from './contract.ts';
import { describeStockProblem, describeThreshold } from './stock-list.ts';
import * as store from './store.ts';
import type { StockListQuery } from './store.ts';

type Responses = { readonly [Key in keyof typeof inventoryApi]: z.output<(typeof inventoryApi)[Key]['response']> };
type Settings = Responses['PUT /low-stock'];

interface DescribedVariant {
  readonly name: string;
  readonly slug: string;
  readonly sku: string;
}

export interface StockListOptions {
  readonly db: Db;
  /** Name, slug of the product and SKU by variant id. */
  readonly describeVariants: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, DescribedVariant>>;
  readonly formatOrderNumber: (number: bigint) => string;
  readonly stockAdjustments: Pick<StockAdjustments, 'change' | 'countAll' | 'readLevels'>;
  readonly lowStock: Pick<LowStock, 'readSettings' | 'changeSettings' | 'setThreshold' | 'changeThresholds'>;
}

/** What one request changes, each variant once in a list. */
interface StockChanges {
  readonly counts: readonly VariantCount[];
  readonly thresholds: readonly ThresholdChange[];
}

export type StockChangeResponse =
  | { readonly ok: true; readonly levels: ReturnType<typeof showLevels> }
  | { readonly ok: false; readonly reason: 'not-found' }
  | { readonly ok: false; readonly reason: StockChangeProblem; readonly message: string };

const showLevels = (levels: StockLevels) => ({
  available: levels.available,
  reserved: levels.reserved,
  committed: levels.committed,
  on_hand: computeOnHand(levels),
});

const OUTDATED = 'Stock has changed meanwhile, so nothing was saved. Check the marked numbers and save again';

/** Rolls back what one request changes. */
class NotSaved extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super('the inventory was not saved');
    this.refusal = refusal;
  }
}

interface ShownCounts {
  readonly variants: readonly (ReturnType<typeof showLevels> & { readonly variant_id: string })[];
  /** Messages of refused counts, by the path of their field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @param results in the order of the counts */
function showCounts(counts: readonly VariantCount[], results: readonly StockChangeResult[]): ShownCounts {
  const fields: Record<string, string> = {};
  const variants = results.flatMap((result, at) => {
    if (result.ok) return [{ ...showLevels(result.levels), variant_id: counts[at]?.variantId ?? '' }];
    if (result.reason === 'not-found') throw new NotSaved(createNotFound());
    fields[`counts.${at}.quantity`] = describeStockProblem(result.reason, result.levels);
    return [];
  });
  return { variants, fields };
}

/** Messages of refused thresholds, by the path of their field. @param results in the order of the thresholds */
function showThresholds(results: readonly ThresholdResult[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [at, result] of results.entries()) {
    if (result.ok) continue;
    if (result.reason === 'not-found') throw new NotSaved(createNotFound());
    fields[`thresholds.${at}.threshold`] = describeThreshold(result.present);
  }
  return fields;
}

export class StockList {
  readonly #options: StockListOptions;

  constructor(options: StockListOptions) {
    this.#options = options;
  }

  async list(query: StockListQuery, page: number): Promise<Responses['GET /inventory']> {
    const { db } = this.#options;
    const [{ ids, total }, settings] = await Promise.all([
      store.listStockPage(db, query, toRowRange(page)),
      this.readSettings(),
    ]);
    return { variants: await this.#show(ids), total, page, settings };
  }

  /** Null if there is no such variant. */
  async find(variantId: string): Promise<Responses['GET /inventory/{variant_id}'] | null> {
    const [variant] = await this.#show([variantId]);
    return variant === undefined ? null : { variant, settings: await this.readSettings() };
  }

  /** Null if there is no such product. */
  async findProduct(productId: string): Promise<Responses['GET /inventory/products/{product_id}'] | null> {
    const { db, stockAdjustments } = this.#options;
    const found = await store.listVariantsOf(db, productId);
    if (found.length === 0) return null;
    const levels = await stockAdjustments.readLevels(
      db,
      found.map(({ id }) => id),
    );
    const variants = found.flatMap(({ id, valueIds }) => {
      const level = levels.get(id);
      return level === undefined ? [] : [{ variant_id: id, value_ids: valueIds, on_hand: computeOnHand(level) }];
    });
    return { variants };
  }

  async change(variantId: string, request: StockChangeRequest): Promise<StockChangeResponse> {
    const changed = await this.#options.stockAdjustments.change(this.#options.db, variantId, request);
    if (changed.ok) return { ok: true, levels: showLevels(changed.levels) };
    if (changed.reason === 'not-found') return { ok: false, reason: 'not-found' };
    return { ok: false, reason: changed.reason, message: describeStockProblem(changed.reason, changed.levels) };
  }

  /** Saves all of these numbers, or none. A refusal has a message for each that is based on an old number. */
  async saveAll(
    { counts, thresholds }: StockChanges,
    request: Omit<StockChangeRequest, 'change' | 'by'> & { readonly by: StaffActor },
  ): Promise<Responses['PUT /inventory'] | Refusal> {
    const { db, lowStock, stockAdjustments } = this.#options;
    try {
      return await transact(db, async (tx) => {
        const counted = showCounts(counts, await stockAdjustments.countAll(tx, counts, request));
        // Stock is locked before thresholds.
        const fields = {
          ...counted.fields,
          ...showThresholds(await lowStock.changeThresholds(tx, thresholds, request.by)),
        };
        if (Object.keys(fields).length > 0) throw new NotSaved(refuseOutdatedWith(OUTDATED, undefined, fields));
        return { variants: [...counted.variants] };
      });
    } catch (error) {
      if (error instanceof NotSaved) return error.refusal;
      throw error;
    }
  }

  setThreshold(variantId: string, threshold: number | null, by: StaffActor): Promise<null | Refusal> {
    return this.#options.lowStock.setThreshold(variantId, threshold, by);
  }

  async readSettings(): Promise<Settings> {
    const { threshold, isMailed, version } = await this.#options.lowStock.readSettings();
    return { threshold, is_mailed: isMailed, version };
  }

  async changeSettings(settings: Settings, by: StaffActor): Promise<Settings | Refusal> {
    const { threshold, is_mailed: isMailed, version } = settings;
    const changed = await this.#options.lowStock.changeSettings({ threshold, isMailed, version }, by);
    if (changed instanceof Refusal) return changed;
    return { threshold: changed.threshold, is_mailed: changed.isMailed, version: changed.version };
  }

  /** Null if there is no such variant. */
  async listHistory(variantId: string, page: number): Promise<Responses['GET /inventory/{variant_id}/history'] | null> {
    const { db, formatOrderNumber, stockAdjustments } = this.#options;
    if ((await stockAdjustments.readLevels(db, [variantId])).size === 0) return null;
    const { rows, total } = await store.listHistory(db, variantId, toRowRange(page));
    const history = rows.map(({ id, order_id: orderId, number, ...row }) => ({
      ...row,
      id: String(id),
      order: orderId === null || number === null ? null : { id: orderId, number: formatOrderNumber(number) },
    }));
    return { history, total, page };
  }

  async #show(ids: readonly string[]): Promise<Responses['GET /inventory']['variants']> {
    if (ids.length === 0) return [];
    const { db, describeVariants, stockAdjustments } = this.#options;
    const [variants, levels, extras] = await Promise.all([
      describeVariants(db, ids),
      stockAdjustments.readLevels(db, ids),
      store.readExtras(db, ids),
    ]);
    return ids.flatMap((id) => {
      const [variant, level, extra] = [variants.get(id), levels.get(id), extras.get(id)];
      if (!variant || !level || !extra) return [];
      const { name, slug, sku } = variant;
      const { isOnSale, threshold } = extra;
      return [{ ...showLevels(level), variant_id: id, name, slug, sku, is_on_sale: isOnSale, threshold }];
    });
  }
}
