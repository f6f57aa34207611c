/** Tax settings, held in memory by every process and changed by owners. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision, readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData, RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { loadTaxSettings, updateTaxSettings } from './store.ts';
import type { StoredTaxSettings } from './store.ts';
import type { TaxSettings } from './taxation.ts';

export type { StoredTaxSettings };

const TOPIC = 'tax';

export interface TaxesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
  /** The tax number of the seller, empty without one. It does not change until the transaction ends. */
  readonly lockTaxNumber: (tx: Db) => Promise<string>;
}

export type TaxChange =
  | { readonly ok: true; readonly saved: StoredTaxSettings }
  | { readonly ok: false; readonly reason: TaxRefusal };

type TaxRefusal = 'changed-meanwhile' | 'no-tax-number';

export class Taxes implements RevisionedData {
  readonly topic = TOPIC;
  readonly #options: TaxesOptions;
  #current: StoredTaxSettings;
  #revision = 0n;

  private constructor(options: TaxesOptions, current: StoredTaxSettings) {
    this.#options = options;
    this.#current = current;
  }

  static async open(options: TaxesOptions): Promise<Taxes> {
    const taxes = new Taxes(options, await loadTaxSettings(options.db));
    await taxes.refresh();
    return taxes;
  }

  get revision(): bigint {
    return this.#revision;
  }

  /** At most a second old: for pages and carts. */
  get current(): StoredTaxSettings {
    return this.#current;
  }

  /** For orders: the settings of the database. */
  read(tx: Db): Promise<StoredTaxSettings> {
    return loadTaxSettings(tx);
  }

  async refresh(): Promise<void> {
    await transact(
      this.#options.db,
      async (tx) => {
        const revision = await readRevision(tx, TOPIC);
        this.#current = await loadTaxSettings(tx);
        this.#revision = revision;
      },
      { isolationLevel: 'repeatable read' },
    );
  }

  /**
   * Replaces the settings if nobody changed them since this version. Placed orders keep theirs. Rates
   * need a tax number, which invoices print.
   */
  async change(by: Actor, version: number, settings: TaxSettings): Promise<TaxChange> {
    const { db, clock, lockTaxNumber, revisions } = this.#options;
    const refused = await transact(db, async (tx): Promise<TaxRefusal | null> => {
      const isNumberMissing = settings.rates.length > 0 && (await lockTaxNumber(tx)) === '';
      const before = await loadTaxSettings(tx);
      // The version is compared again, so nothing has changed since the read.
      if (before.version !== version) return 'changed-meanwhile';
      if (isNumberMissing) return 'no-tax-number';
      if (!(await updateTaxSettings(tx, version, settings))) return 'changed-meanwhile';
      await incrementRevision(tx, TOPIC);
      await recordChange(tx, {
        at: clock.now(),
        by,
        action: 'settings.edited',
        subject: { kind: 'settings', id: TOPIC },
        before: { ...before },
        after: { ...settings, version: version + 1 },
      });
      return null;
    });
    if (refused !== null) return { ok: false, reason: refused };
    await revisions.announce();
    return { ok: true, saved: { ...settings, version: version + 1 } };
  }
}
