/** Low stock: thresholds, and one report a day of what fell to or below them. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChanges } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import { findSku } from '../adjustments/store.ts';
import * as store from './store.ts';
import type { LowStockSettings, LowVariant } from './store.ts';

export type { LowStockSettings } from './store.ts';

/** `threshold` and the former one that the caller saw; null: the shop's. */
export interface ThresholdChange {
  readonly variantId: string;
  readonly threshold: number | null;
  readonly seen: number | null;
}

export type ThresholdResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'not-found' }
  | { readonly ok: false; readonly reason: 'outdated'; readonly present: number | null };

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
   * Sets the thresholds of these variants, each named once, in the caller's transaction. One that is so already is left as
   * it is.
   * @returns the results in the order of the changes. If one is refused, the caller rolls back
   */
  async changeThresholds(
    tx: Db,
    changes: readonly ThresholdChange[],
    by: StaffActor,
  ): Promise<readonly ThresholdResult[]> {
    const at = this.#options.clock.now();
    const results = new Map<ThresholdChange, ThresholdResult>();
    const recorded: RecordedChange[] = [];
    // Thresholds are locked in ascending variant id.
    for (const change of changes.toSorted((a, b) => (a.variantId < b.variantId ? -1 : 1))) {
      const { variantId, threshold, seen } = change;
      const name = await findSku(tx, variantId);
      const present = await store.readThreshold(tx, variantId);
      if (name === undefined) results.set(change, { ok: false, reason: 'not-found' });
      else if (present === threshold) results.set(change, { ok: true });
      else if (present !== seen || !(await store.replaceThreshold(tx, variantId, present, threshold))) {
        results.set(change, { ok: false, reason: 'outdated', present });
      } else {
        results.set(change, { ok: true });
        recorded.push({
          at,
          by,
          action: 'variant.threshold_changed',
          subject: { kind: 'variant', id: variantId, name },
          before: { low_stock_threshold: present },
          after: { low_stock_threshold: threshold },
        });
      }
    }
    await recordChanges(tx, recorded);
    return changes.map((change) => results.get(change) ?? { ok: false, reason: 'not-found' });
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
