/** Low stock: thresholds, and one report a day of what fell to or below them. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
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

  changeSettings(settings: LowStockSettings, by: StaffActor): Promise<LowStockSettings | Refusal> {
    return changeDocument(this.#options, {
      by,
      version: settings.version,
      what: 'these settings',
      subject: { kind: 'settings', id: 'low-stock' },
      lock: store.readSettings,
      write: async (tx, before) => {
        // The version is compared again, so nothing has changed since the read.
        if (!(await store.updateSettings(tx, settings))) return OUTDATED;
        const saved = { ...settings, version: settings.version + 1 };
        const [old, present] = [toAuditFields(before), toAuditFields(saved)];
        return { saved, recorded: { action: 'settings.changed', before: old, after: present } };
      },
    });
  }

  /** @param threshold null: the shop's. */
  setThreshold(variantId: string, threshold: number | null, by: StaffActor): Promise<null | Refusal> {
    return changeDocument(this.#options, {
      by,
      what: 'this threshold',
      subject: { kind: 'variant', id: variantId },
      lock: async (tx) => ({ threshold: await store.readThreshold(tx, variantId) }),
      write: async (tx, stored) => {
        if (!(await store.writeThreshold(tx, variantId, threshold))) return createNotFound();
        const name = await findSku(tx, variantId);
        const before = { low_stock_threshold: stored.threshold };
        const after = { low_stock_threshold: threshold };
        return { saved: null, recorded: { action: 'variant.threshold_changed', before, after, name } };
      },
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
