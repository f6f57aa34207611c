/** Restates the stock of many variants with few statements. */
import type { Db } from '#src/platform/database/database.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { planRestatement } from './plan-stock-change.ts';
import type { StockLevels, StockReason } from './plan-stock-change.ts';
import { replaceStock } from './restatement.store.ts';
import type { RestatedStock } from './restatement.store.ts';
import * as store from './store.ts';
import type { OrderedQuantity } from './store.ts';

const BATCH = 2_000;

export interface StockRestatement {
  readonly variantId: string;
  /** Whether the variant was inserted in this transaction, so that no order has it. */
  readonly isNew: boolean;
  /** What was available when the change was planned, and what shall be. Null: not tracked. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface Restatement {
  readonly reason: StockReason;
  readonly note: string;
  readonly by: Actor;
}

interface RestatementRequest extends Restatement {
  readonly at: Date;
  readonly lockOpenOrders: (tx: Db, variantIds: readonly string[]) => Promise<readonly OrderedQuantity[]>;
}

const UNTRACKED: StockLevels = { available: null, reserved: 0, committed: 0 };

/** @param stock in ascending variant id, so that locks are taken in that order */
export async function restateStock(tx: Db, stock: readonly StockRestatement[], request: RestatementRequest) {
  const started = stock.filter(({ isNew, before, after }) => !isNew && before === null && after !== null);
  // Orders are locked before stock.
  const ordered =
    started.length === 0
      ? []
      : await request.lockOpenOrders(
          tx,
          started.map(({ variantId }) => variantId),
        );
  const orderedOf = Map.groupBy(ordered, ({ variantId }) => variantId ?? '');
  for (let at = 0; at < stock.length; at += BATCH) {
    await restateBatch(tx, stock.slice(at, at + BATCH), orderedOf, request);
  }
}

async function restateBatch(
  tx: Db,
  batch: readonly StockRestatement[],
  orderedOf: ReadonlyMap<string, readonly OrderedQuantity[]>,
  { reason, note, by, at }: RestatementRequest,
): Promise<void> {
  const known = batch.filter(({ isNew }) => !isNew).map(({ variantId }) => variantId);
  if (known.length > 0) await store.lockStockOf(tx, known);
  const levels = known.length === 0 ? [] : await store.readLevels(tx, known);
  const levelsOf = new Map(levels.map((found) => [found.variantId, found]));
  const reservations: OrderedQuantity[] = [];
  const restated = batch.flatMap((planned): RestatedStock[] => {
    const { variantId } = planned;
    const before = levelsOf.get(variantId) ?? UNTRACKED;
    const available = planRestatement(before.available, planned);
    if (available === before.available) return [];
    const isStarted = before.available === null;
    const ordered = isStarted ? (orderedOf.get(variantId) ?? []) : [];
    reservations.push(...ordered);
    const reserved = isStarted ? ordered.reduce((sum, { quantity }) => sum + quantity, 0) : before.reserved;
    return [{ variantId, before, after: { available, reserved, committed: before.committed } }];
  });
  await replaceStock(tx, restated);
  await store.insertReservations(tx, reservations);
  const entries = restated.map((change) => ({ ...change, at, reason, note, by, requestKey: null }));
  await store.insertHistory(tx, entries);
}
