/** Mails to staff about paid orders: one for each, one an hour, or none. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { StoredEventKind } from '../order-events.ts';
import * as store from './paid-order-mails.store.ts';
import type { PaidOrderMailSettings } from './paid-order-mails.store.ts';

export interface PaidOrderMailsOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Called in the transaction that assigns orders to an hourly mail. */
  readonly onReported: (tx: Db, digestId: string) => Promise<void>;
}

interface OrderEvent {
  readonly order_id: string;
  readonly kind: StoredEventKind;
}

const KEPT_MS = 30 * 24 * 3_600_000;
/** The first of them in the life of an order makes it paid. */
const isFirstPayment = ({ kind }: OrderEvent): boolean => kind === 'paid' || kind === 'settled';

export class PaidOrderMails {
  readonly #options: PaidOrderMailsOptions;

  constructor(options: PaidOrderMailsOptions) {
    this.#options = options;
  }

  readSettings(): Promise<PaidOrderMailSettings> {
    return store.readSettings(this.#options.db);
  }

  change({ mode, version }: PaidOrderMailSettings, by: Actor): Promise<PaidOrderMailSettings | Refusal> {
    return changeDocument(this.#options, {
      by,
      version,
      what: 'this setting',
      subject: { kind: 'settings', id: 'paid_order_mails' },
      lock: store.readSettings,
      write: async (tx, before) => {
        // The version is compared again, so nothing has changed since the read.
        if (!(await store.updateSettings(tx, { mode, version }))) return OUTDATED;
        const recorded = { action: 'settings.paid_order_mails_edited', before: { mode: before.mode }, after: { mode } };
        return { saved: { mode, version: version + 1 }, recorded };
      },
    });
  }

  /**
   * Called in the transaction that claims these events. Returns the paid orders to mail now; with the
   * hourly mode it adds them to the next mail.
   */
  async collect(tx: Db, events: readonly OrderEvent[]): Promise<readonly string[]> {
    const paid = [...new Set(events.filter(isFirstPayment).map(({ order_id: id }) => id))];
    if (paid.length === 0) return [];
    const { mode } = await store.readSettings(tx);
    if (mode === 'hourly') await store.insertReports(tx, paid, this.#options.clock.now());
    return mode === 'each' ? paid : [];
  }

  /** Runs once an hour. Orders that wait are mailed once, unless mails are off by now. */
  async report(): Promise<void> {
    const { clock, db, onReported } = this.#options;
    await transact(db, async (tx) => {
      const digestId = await store.claimReports(tx);
      const { mode } = await store.readSettings(tx);
      if (digestId !== null && mode !== 'never') await onReported(tx, digestId);
    });
    await store.deleteReportsBefore(db, new Date(clock.now().getTime() - KEPT_MS));
  }

  listReported(digestId: string, limit: number) {
    return store.listReported(this.#options.db, digestId, limit);
  }
}
