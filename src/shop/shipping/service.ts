/** Shipping settings, held in memory by every process and changed by owners. */
import type { z } from 'zod';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData } from '#src/platform/database/revisions.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { EditingOptions } from '#src/shop/editing/service.ts';
import { cents } from '#src/shop/money.ts';
import { isFreeEverywhere, listDeliveryCountries } from './compute-shipping.ts';
import type { shippingApi } from './contract.ts';
import { loadShippingSettings, updateShippingSettings } from './store.ts';
import type { StoredShippingSettings } from './store.ts';
import type { ShippingSettings, ShippingZone } from './compute-shipping.ts';

export type { StoredShippingSettings };

const TOPIC = 'shipping';

/** Settings as the contract decodes them. */
type SettingsBody = z.output<(typeof shippingApi)['PUT /shipping/settings']['response']>;

const toZone = ({ name, countries, basis, tiers, freeFromCents }: ShippingZone) => ({
  name,
  countries: [...countries],
  basis,
  tiers: tiers.map(({ from, priceCents }) => ({ from, price_usd: cents(BigInt(priceCents)) })),
  free_from_usd: freeFromCents === null ? null : cents(BigInt(freeFromCents)),
});

const toResponse = ({ version, zones, excludedCountries, unknownWeight }: StoredShippingSettings): SettingsBody => ({
  version,
  zones: zones.map(toZone),
  excluded_countries: [...excludedCountries],
  unknown_weight: unknownWeight,
});

const toSettings = (body: Omit<SettingsBody, 'version'>): ShippingSettings => ({
  zones: body.zones.map(({ name, countries, basis, tiers, free_from_usd: freeFrom }) => ({
    name,
    countries,
    basis,
    tiers: tiers.map(({ from, price_usd: price }) => ({ from, priceCents: Number(price) })),
    freeFromCents: freeFrom === null ? null : Number(freeFrom),
  })),
  excludedCountries: body.excluded_countries,
  unknownWeight: body.unknown_weight,
});

export class Shipping implements RevisionedData {
  readonly topic = TOPIC;
  readonly #options: EditingOptions;
  #current: StoredShippingSettings;
  #revision = 0n;

  private constructor(options: EditingOptions, current: StoredShippingSettings) {
    this.#options = options;
    this.#current = current;
  }

  static async open(options: EditingOptions): Promise<Shipping> {
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

  /** With dollars, for the API. */
  get currentSettings(): SettingsBody {
    return toResponse(this.#current);
  }

  /** What every visitor may know. */
  describe() {
    return {
      is_free_everywhere: isFreeEverywhere(this.#current),
      countries: listDeliveryCountries(this.#current),
      zones: this.#current.zones.map(toZone),
    };
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
   */
  change(by: Actor, version: number, body: Omit<SettingsBody, 'version'>): Promise<SettingsBody | Refusal> {
    const settings = toSettings(body);
    return changeDocument(this.#options, {
      by,
      version,
      what: 'the shipping settings',
      subject: { kind: 'settings', id: TOPIC },
      topics: [TOPIC],
      lock: loadShippingSettings,
      write: async (tx, before) => {
        const after = { ...settings, version: version + 1 };
        // The version is compared again, so nothing has changed since the read.
        if (!(await updateShippingSettings(tx, version, settings))) return OUTDATED;
        return { saved: toResponse(after), recorded: { action: 'settings.edited', before: { ...before }, after } };
      },
    });
  }
}
