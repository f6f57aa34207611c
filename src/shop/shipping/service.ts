/** Shipping settings, held in memory by every process and changed by owners. */
import type { z } from 'zod';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision, readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData, RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
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

export interface ShippingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}

export type ShippingChange =
  | { readonly ok: true; readonly saved: SettingsBody }
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
  async change(by: Actor, version: number, body: Omit<SettingsBody, 'version'>): Promise<ShippingChange> {
    const { db, clock, revisions } = this.#options;
    const settings = toSettings(body);
    const isSaved = await transact(db, async (tx) => {
      const before = await loadShippingSettings(tx);
      // The version is compared again, so nothing has changed since the read.
      if (!(await updateShippingSettings(tx, version, settings))) return false;
      await incrementRevision(tx, TOPIC);
      await recordChange(tx, {
        at: clock.now(),
        by,
        action: 'settings.edited',
        subject: { kind: 'settings', id: TOPIC },
        before: { ...before },
        after: { ...settings, version: version + 1 },
      });
      return true;
    });
    if (!isSaved) return { ok: false, reason: 'changed-meanwhile' };
    await revisions.announce();
    return { ok: true, saved: toResponse({ ...settings, version: version + 1 }) };
  }
}
