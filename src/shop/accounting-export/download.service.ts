/** The accounting export as owners download it. */
import type { Clock } from '#src/platform/process/clock.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { Db } from '#src/platform/database/database.ts';
import { transact } from '#src/platform/database/database.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { formatExportName } from '#src/shop/export-name.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { writeAccountingExport } from './service.ts';

/** About 40,000 payments. Larger exports need the command line. */
const MAX_EXPORT_CHARACTERS = 10_000_000;

export interface AccountingDownloadOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly shopSettings: Pick<ShopSettings, 'timeZone'>;
}

class TooLarge extends Error {}

export class AccountingDownload {
  readonly #options: AccountingDownloadOptions;

  constructor(options: AccountingDownloadOptions) {
    this.#options = options;
  }

  /** The accounting export of these days; null if it is too large for one response, or the signal aborts. */
  async export(
    { from, to }: ShopDays,
    by: Actor,
    signal?: AbortSignal,
  ): Promise<{ readonly filename: string; readonly csv: string } | null> {
    const parts: string[] = [];
    let length = 0;
    const { timeZone } = this.#options.shopSettings;
    const period = toPeriod({ from, to }, timeZone);
    const slice = new TimeSlice();
    const add = async (text: string): Promise<void> => {
      signal?.throwIfAborted();
      length += text.length;
      if (length > MAX_EXPORT_CHARACTERS) throw new TooLarge();
      parts.push(text);
      await slice.pause();
    };
    try {
      await writeAccountingExport(this.#options.db, period, add, signal);
    } catch (error) {
      if (error instanceof TooLarge || signal?.aborted === true) return null;
      throw error;
    }
    await transact(this.#options.db, (tx) =>
      recordChange(tx, {
        at: this.#options.clock.now(),
        by,
        action: 'report.exported',
        subject: { kind: 'report', id: 'books' },
        before: null,
        after: { from, to, time_zone: timeZone },
      }),
    );
    return { filename: formatExportName('books', { from, to }), csv: parts.join('') };
  }
}
