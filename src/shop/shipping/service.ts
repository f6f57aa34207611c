/** Shipping settings, held in memory by every process and changed by owners. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision, readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData, RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Log } from '#src/platform/process/log.ts';
import { loadShippingSettings, updateShippingSettings } from './store.ts';
import type { StoredShippingSettings } from './store.ts';
import type { ShippingSettings } from './compute-shipping.ts';

export type { StoredShippingSettings };

const TOPIC = 'shipping';

export interface ShippingOptions {
  readonly db: Db;
  readonly log: Pick<Log, 'info'>;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}

export type ShippingChange =
  | { readonly ok: true; readonly saved: StoredShippingSettings }
  | { readonly ok: false; readonly reason: 'changed-meanwhile' };

export class Shipping implements RevisionedData {
  readonly topic = TOPIC;
  readonly #options: ShippingOptions;
  #current: StoredShippingSettings;
  #revision = 0n;

  private constructor(options: ShippingOptions, current: StoredShippingSettings) {
    this.#options = options;
    this.#current = current;
  }

  static async open(options: ShippingOptions): Promise<Shipping> {
    const shipping = new Shipping(options, await loadShippingSettings(options.db));
    await shipping.refresh();
    return shipping;
  }

  get revision(): bigint {
    return this.#revision;
  }

  /** At most a second old: for pages and carts. */
  get current(): StoredShippingSettings {
    return this.#current;
  }

  /** For orders: the settings of the database. */
  read(tx: Db): Promise<StoredShippingSettings> {
    return loadShippingSettings(tx);
  }

  async refresh(): Promise<void> {
    await transact(
      this.#options.db,
      async (tx) => {
        const revision = await readRevision(tx, TOPIC);
        this.#current = await loadShippingSettings(tx);
        this.#revision = revision;
      },
      { isolationLevel: 'repeatable read' },
    );
  }

  /**
   * Replaces the settings if nobody changed them since this version. Placed orders keep their price.
   * @param by name of the acting user
   */
  async change(by: string, version: number, settings: ShippingSettings): Promise<ShippingChange> {
    const { db, log, revisions } = this.#options;
    const isSaved = await transact(db, async (tx) => {
      const isUpdated = await updateShippingSettings(tx, version, settings);
      if (isUpdated) await incrementRevision(tx, TOPIC);
      return isUpdated;
    });
    if (!isSaved) return { ok: false, reason: 'changed-meanwhile' };
    log.info({ by, version: version + 1 }, 'the shipping settings were changed');
    await revisions.announce();
    return { ok: true, saved: { ...settings, version: version + 1 } };
  }
}
