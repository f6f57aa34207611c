/** Tax settings, held in memory by every process and changed by owners. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision, readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData, RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Log } from '#src/platform/process/log.ts';
import { loadTaxSettings, updateTaxSettings } from './store.ts';
import type { StoredTaxSettings } from './store.ts';
import type { TaxSettings } from './taxation.ts';

export type { StoredTaxSettings };

const TOPIC = 'tax';

export interface TaxesOptions {
  readonly db: Db;
  readonly log: Pick<Log, 'info'>;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}

export type TaxChange =
  | { readonly ok: true; readonly saved: StoredTaxSettings }
  | { readonly ok: false; readonly reason: 'changed-meanwhile' };

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
   * Replaces the settings if nobody changed them since this version. Placed orders keep theirs.
   * @param by name of the acting user
   */
  async change(by: string, version: number, settings: TaxSettings): Promise<TaxChange> {
    const { db, log, revisions } = this.#options;
    const isSaved = await transact(db, async (tx) => {
      const isUpdated = await updateTaxSettings(tx, version, settings);
      if (isUpdated) await incrementRevision(tx, TOPIC);
      return isUpdated;
    });
    if (!isSaved) return { ok: false, reason: 'changed-meanwhile' };
    log.info({ by, version: version + 1 }, 'the tax settings were changed');
    await revisions.announce();
    return { ok: true, saved: { ...settings, version: version + 1 } };
  }
}
