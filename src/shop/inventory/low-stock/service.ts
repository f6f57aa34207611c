/** Low stock: thresholds, and one report a day of what fell to or below them. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import * as store from './store.ts';
import type { LowStockSettings, LowVariant } from './store.ts';

export type { LowStockSettings } from './store.ts';

export interface LowStockOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Called in the transaction that marks variants as reported, with the day, such as 2026-03-01. */
  readonly onReported: (tx: Db, day: string) => Promise<void>;
}

export class LowStock {
  readonly #options: LowStockOptions;

  constructor(options: LowStockOptions) {
    this.#options = options;
  }

  readSettings(): Promise<LowStockSettings> {
    return store.readSettings(this.#options.db);
  }

  /** Null if they were changed meanwhile. */
  async changeSettings(settings: LowStockSettings): Promise<LowStockSettings | null> {
    const { db } = this.#options;
    return (await store.updateSettings(db, settings)) ? store.readSettings(db) : null;
  }

  /** @param threshold null: the shop's. False if there is no such variant. */
  setThreshold(variantId: string, threshold: number | null): Promise<boolean> {
    return transact(this.#options.db, (tx) => store.writeThreshold(tx, variantId, threshold));
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
