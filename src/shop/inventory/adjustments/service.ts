/** Sets, adjusts and stops the tracking of stock, and records who did it and why. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChanges } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import { computeOnHand, planStockChange } from './plan-stock-change.ts';
import type { StockChange, StockChangeProblem, StockLevels, StockReason } from './plan-stock-change.ts';
import { restateStock } from './restatement.service.ts';
import type { Restatement, StockRestatement } from './restatement.service.ts';
import * as store from './store.ts';
import type { OrderedQuantity } from './store.ts';

export interface StockAdjustmentsOptions {
  readonly clock: Clock;
  /** Whether the stock of a new variant is tracked: in live mode. */
  readonly isTrackedByDefault: boolean;
  /** Locks the open unpaid orders that contain one of these variants, and returns its units in each. */
  readonly lockOpenOrders: (tx: Db, variantIds: readonly string[]) => Promise<readonly OrderedQuantity[]>;
}

export interface StockChangeRequest {
  readonly change: StockChange;
  readonly reason: StockReason;
  readonly note?: string | null;
  readonly by: Actor;
  /** Idempotency key: staff make a change with the same key once. */
  readonly requestKey?: string | null;
}

export type StockChangeResult =
  | { readonly ok: true; readonly levels: StockLevels }
  | { readonly ok: false; readonly reason: 'not-found' }
  /** With the present levels. */
  | { readonly ok: false; readonly reason: StockChangeProblem; readonly levels: StockLevels };

/** Rolls back a refused change. */
class StockChangeRefused extends Error {
  readonly result: Exclude<StockChangeResult, { ok: true }>;
  constructor(result: Exclude<StockChangeResult, { ok: true }>) {
    super(result.reason);
    this.result = result;
  }
}

const NOT_FOUND = { ok: false, reason: 'not-found' } as const;

/** Units on hand of a variant. `seen`: the former number that the count is based on; null: not tracked. */
export interface VariantCount {
  readonly variantId: string;
  readonly quantity: number;
  readonly seen: number | null;
}

interface MadeChange {
  readonly before: StockLevels;
  readonly after: StockLevels;
  /** It was made by an earlier request with the same key. */
  readonly isRepeated: boolean;
  readonly sku: string | undefined;
}

/** Stock levels as audit entries show them. */
const toAuditFields = (levels: StockLevels) => ({ available: levels.available, on_hand: computeOnHand(levels) });

async function catchRefusal(change: () => Promise<StockChangeResult>): Promise<StockChangeResult> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof StockChangeRefused) return error.result;
    throw error;
  }
}

export class StockAdjustments {
  readonly #options: StockAdjustmentsOptions;

  constructor(options: StockAdjustmentsOptions) {
    this.#options = options;
  }

  /** Changes the stock of a variant, or nothing. */
  async change(db: Db, variantId: string, request: StockChangeRequest): Promise<StockChangeResult> {
    return catchRefusal(() =>
      transact(db, async (tx): Promise<StockChangeResult> => {
        const change = await this.#change(tx, variantId, request);
        await recordChanges(tx, change.isRepeated ? [] : [this.#toRecorded(variantId, change, request)]);
        return { ok: true, levels: change.after };
      }),
    );
  }

  /** Changes the stock of all of these variants, or of none. Leaves out those that are so already. */
  async changeAll(db: Db, variantIds: readonly string[], request: StockChangeRequest): Promise<StockChangeResult[]> {
    return transact(db, async (tx) => {
      const results: StockChangeResult[] = [];
      const recorded: RecordedChange[] = [];
      // Stock is locked in ascending variant id.
      for (const variantId of variantIds.toSorted()) {
        results.push(
          await catchRefusal(async () => {
            const change = await this.#change(tx, variantId, request);
            recorded.push(this.#toRecorded(variantId, change, request));
            return { ok: true, levels: change.after };
          }),
        );
      }
      const refused = results.find((result) => !result.ok && result.reason !== 'not-tracked');
      if (refused?.ok === false) throw new Error(`stock was not changed: ${refused.reason}`);
      await recordChanges(tx, recorded);
      return results;
    });
  }

  /**
   * Counts the units on hand of all of these variants, each named once, in the caller's transaction.
   * @returns the results in the order of the counts. If one is refused, the caller rolls back
   */
  async countAll(
    tx: Db,
    counts: readonly VariantCount[],
    request: Omit<StockChangeRequest, 'change'>,
  ): Promise<readonly StockChangeResult[]> {
    const untracked = counts.filter(({ seen }) => seen === null).map(({ variantId }) => variantId);
    // Orders are locked before stock.
    if (untracked.length > 0) await this.#options.lockOpenOrders(tx, untracked.toSorted());
    const results = new Map<VariantCount, StockChangeResult>();
    const recorded: RecordedChange[] = [];
    // Stock is locked in ascending variant id.
    for (const count of counts.toSorted((a, b) => (a.variantId < b.variantId ? -1 : 1))) {
      const { variantId, quantity, seen } = count;
      const wanted = { ...request, change: { kind: 'set', of: 'on_hand', quantity, seen } as const };
      const result = await catchRefusal(async () => {
        const change = await this.#change(tx, variantId, wanted);
        if (!change.isRepeated) recorded.push(this.#toRecorded(variantId, change, wanted));
        return { ok: true, levels: change.after };
      });
      results.set(count, result);
    }
    await recordChanges(tx, recorded);
    return counts.map((count): StockChangeResult => results.get(count) ?? NOT_FOUND);
  }

  #toRecorded(variantId: string, { before, after, sku }: MadeChange, request: StockChangeRequest): RecordedChange {
    const { by, reason, note = null } = request;
    return {
      at: this.#options.clock.now(),
      by,
      action: 'variant.stock_changed',
      subject: { kind: 'variant', id: variantId, ...(sku !== undefined && { name: sku }) },
      before: toAuditFields(before),
      after: { ...toAuditFields(after), reason, note: note ?? undefined },
    };
  }

  /**
   * Call for each new variant, in the transaction that inserts it. A live shop tracks its stock, with none on
   * hand; demo mode does not track it. Idempotent.
   */
  async addVariants(tx: Db, variantIds: readonly string[]): Promise<void> {
    if (this.#options.isTrackedByDefault && variantIds.length > 0) await store.insertStock(tx, variantIds);
  }

  /** What is available of a new variant; null: its stock is not tracked. */
  get initialStock(): number | null {
    return this.#options.isTrackedByDefault ? 0 : null;
  }

  /** Restates the stock of many variants at once, such as by an import. */
  async restate(tx: Db, stock: readonly StockRestatement[], request: Restatement): Promise<void> {
    const { clock, lockOpenOrders } = this.#options;
    await restateStock(tx, stock, { ...request, at: clock.now(), lockOpenOrders });
  }

  /** The levels of those of these variants that exist. */
  async readLevels(db: Db, variantIds: readonly string[]): Promise<ReadonlyMap<string, StockLevels>> {
    if (variantIds.length === 0) return new Map();
    return new Map((await store.readLevels(db, variantIds)).map((levels) => [levels.variantId, levels]));
  }

  async #change(tx: Db, variantId: string, request: StockChangeRequest): Promise<MadeChange> {
    const { change, reason, note = null, by, requestKey = null } = request;
    // While the lock is held, only payment and shipping change the levels, and neither changes what is available.
    await store.lockStockOf(tx, [variantId]);
    const before = await this.#requireLevels(tx, variantId);
    const isRepeated =
      requestKey !== null && by.kind === 'staff' && (await store.hasRequest(tx, by.userId, variantId, requestKey));
    if (isRepeated) return { before, after: before, isRepeated, sku: undefined };
    const planned = planStockChange(before, change);
    if (!planned.ok) throw new StockChangeRefused({ ...planned, levels: before });
    const after = await this.#write(tx, variantId, before, change, planned.available);
    const at = this.#options.clock.now();
    await store.insertHistory(tx, [{ variantId, at, reason, note, by, before, after, requestKey }]);
    return { before, after, isRepeated, sku: await store.findSku(tx, variantId) };
  }

  async #write(
    tx: Db,
    variantId: string,
    before: StockLevels,
    change: StockChange,
    available: number | null,
  ): Promise<StockLevels> {
    if (before.available === null) return this.#startTracking(tx, variantId, before, change);
    if (available === null) await store.deleteStock(tx, variantId);
    else if (!(await store.replaceAvailable(tx, variantId, before.available, available))) {
      throw new StockChangeRefused({ ok: false, reason: 'outdated', levels: before });
    }
    return { ...before, available };
  }

  /** Open orders of an untracked variant get reservations, so that their units are not sold twice. */
  async #startTracking(tx: Db, variantId: string, before: StockLevels, change: StockChange): Promise<StockLevels> {
    // Orders are locked before stock.
    const ordered = await this.#options.lockOpenOrders(tx, [variantId]);
    if ((await store.insertStock(tx, [variantId])).length === 0) {
      const levels = await this.#requireLevels(tx, variantId);
      throw new StockChangeRefused({ ok: false, reason: 'outdated', levels });
    }
    await store.insertReservations(tx, ordered);
    const { reserved, committed } = await this.#requireLevels(tx, variantId);
    const planned = planStockChange({ available: null, reserved, committed }, change);
    if (!planned.ok || planned.available === null) throw new Error('tracking was not started');
    if (!(await store.replaceAvailable(tx, variantId, 0, planned.available))) {
      throw new StockChangeRefused({ ok: false, reason: 'outdated', levels: before });
    }
    return { available: planned.available, reserved, committed };
  }

  async #requireLevels(tx: Db, variantId: string): Promise<StockLevels> {
    const [levels] = await store.readLevels(tx, [variantId]);
    if (levels === undefined) throw new StockChangeRefused({ ok: false, reason: 'not-found' });
    const { available, reserved, committed } = levels;
    return { available, reserved, committed };
  }
}
