/** Tax settings, held in memory by every process and changed by owners. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData } from '#src/platform/database/revisions.ts';
import { createInvalid } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { EditingOptions } from '#src/shop/editing/service.ts';
import { loadTaxSettings, updateTaxSettings } from './store.ts';
import type { StoredTaxSettings } from './store.ts';
import type { TaxSettings } from './taxation.ts';

export type { StoredTaxSettings };

const TOPIC = 'tax';

export interface TaxesOptions extends EditingOptions {
  /** The tax number of the seller, empty without one. It does not change until the transaction ends. */
  readonly lockTaxNumber: (tx: Db) => Promise<string>;
}

const NO_TAX_NUMBER = createInvalid({
  rates: 'Enter the tax number of the shop first, under “Legal identity” of the settings.',
});

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
  change(by: Actor, version: number, settings: TaxSettings): Promise<StoredTaxSettings | Refusal> {
    return changeDocument(this.#options, {
      by,
      version,
      what: 'the tax settings',
      subject: { kind: 'settings', id: TOPIC },
      topics: [TOPIC],
      lock: async (tx) => {
        const isNumberMissing = settings.rates.length > 0 && (await this.#options.lockTaxNumber(tx)) === '';
        return { ...(await loadTaxSettings(tx)), isNumberMissing };
      },
      write: async (tx, { isNumberMissing, ...before }) => {
        if (isNumberMissing) return NO_TAX_NUMBER;
        const saved = { ...settings, version: version + 1 };
        // The version is compared again, so nothing has changed since the read.
        if (!(await updateTaxSettings(tx, version, settings))) return OUTDATED;
        return { saved, recorded: { action: 'settings.edited', before, after: saved } };
      },
    });
  }
}
