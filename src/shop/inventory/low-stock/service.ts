/** Low stock: thresholds, and one report a day of what fell to or below them. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { findSku } from '../adjustments/store.ts';
import * as store from './store.ts';
import type { LowStockSettings, LowVariant } from './store.ts';

export type { LowStockSettings } from './store.ts';

export interface LowStockOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Called in the transaction that marks variants as reported, with the day, such as 2026-03-01. */
  readonly onReported: (tx: Db, day: string) => Promise<void>;
}

/** The settings as audit entries show them. */
const toAuditFields = ({ threshold, isMailed }: LowStockSettings) => ({
  low_stock_threshold: threshold,
  is_mailed: isMailed,
});

export class LowStock {
  readonly #options: LowStockOptions;

  constructor(options: LowStockOptions) {
    this.#options = options;
  }

  readSettings(): Promise<LowStockSettings> {
    return store.readSettings(this.#options.db);
  }

  /** Null if they were changed meanwhile. */
  async changeSettings(settings: LowStockSettings, by: StaffActor): Promise<LowStockSettings | null> {
    const { db, clock } = this.#options;
    return transact(db, async (tx) => {
      const before = await store.readSettings(tx);
      const isChanged = before.version === settings.version && (await store.updateSettings(tx, settings));
      if (!isChanged) return null;
      const after = await store.readSettings(tx);
      await recordChange(tx, {
        at: clock.now(),
        by,
        action: 'settings.changed',
        subject: { kind: 'settings', id: 'low-stock' },
        before: toAuditFields(before),
        after: toAuditFields(after),
      });
      return after;
    });
  }

  /** @param threshold null: the shop's. False if there is no such variant. */
  setThreshold(variantId: string, threshold: number | null, by: StaffActor): Promise<boolean> {
    const { db, clock } = this.#options;
    return transact(db, async (tx) => {
      const before = await store.readThreshold(tx, variantId);
      if (!(await store.writeThreshold(tx, variantId, threshold))) return false;
      const sku = await findSku(tx, variantId);
      await recordChange(tx, {
        at: clock.now(),
        by,
        action: 'variant.threshold_changed',
        subject: { kind: 'variant', id: variantId, ...(sku !== undefined && { name: sku }) },
        before: { low_stock_threshold: before },
        after: { low_stock_threshold: threshold },
      });
      return true;
    });
  }

  /**
   * Reports what fell since the last report, at most once a day in UTC. With mails off it marks only, so that
   * switching them on reports nothing old.
   */
  async report(): Promise<void> {
    const { clock, db, onReported } = this.#options;
    const day = clock.now().toISOString().slice(0, 10);
    await transact(db, async (tx) => {
      const { isMailed, isMailedToday } = await store.lockSettings(tx, day);
      if (isMailed && isMailedToday) return;
      const fallen = await store.markFallen(tx, day);
      if (!isMailed || fallen === 0) return;
      await store.writeMailedOn(tx, day);
      await onReported(tx, day);
    });
  }

  /** What was reported on a day and is still low, the lowest first, with their number. */
  listReported(
    day: string,
    limit: number,
  ): Promise<{ readonly variants: readonly LowVariant[]; readonly total: number }> {
    return store.listReported(this.#options.db, day, limit);
  }
}
