/** Carriers of parcels, which owners edit. Shipments keep the name and the link of their time. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import * as store from './carriers.store.ts';
import type { Carrier, CarrierFields } from './carriers.store.ts';

export interface CarriersOptions {
  readonly db: Db;
  readonly clock: Clock;
}

export type CarrierChange =
  | { readonly ok: true; readonly carrier: Carrier }
  | { readonly ok: false; readonly reason: 'not-found' | 'name-taken' };

const toFields = (carrier: Carrier | null) => carrier && { name: carrier.name, url_pattern: carrier.url_pattern };

export class Carriers {
  readonly #options: CarriersOptions;

  constructor(options: CarriersOptions) {
    this.#options = options;
  }

  list(): Promise<readonly Carrier[]> {
    return store.listCarriers(this.#options.db);
  }

  create(fields: CarrierFields, by: Actor): Promise<CarrierChange> {
    return this.#change(async (tx) => {
      const carrier = await store.insertCarrier(tx, fields);
      await this.#record(tx, by, 'settings.carrier_created', null, carrier);
      return { ok: true, carrier };
    });
  }

  edit(id: string, fields: CarrierFields, by: Actor): Promise<CarrierChange> {
    return this.#change(async (tx) => {
      const before = await store.lockCarrier(tx, id);
      if (before === null) return { ok: false, reason: 'not-found' };
      const carrier = { id, ...fields };
      await store.updateCarrier(tx, carrier);
      await this.#record(tx, by, 'settings.carrier_edited', before, carrier);
      return { ok: true, carrier };
    });
  }

  /** Shipments keep its name. */
  remove(id: string, by: Actor): Promise<CarrierChange> {
    return this.#change(async (tx) => {
      const carrier = await store.lockCarrier(tx, id);
      if (carrier === null) return { ok: false, reason: 'not-found' };
      await store.deleteCarrier(tx, id);
      await this.#record(tx, by, 'settings.carrier_deleted', carrier, null);
      return { ok: true, carrier };
    });
  }

  async #change(work: (tx: Db) => Promise<CarrierChange>): Promise<CarrierChange> {
    try {
      return await transact(this.#options.db, work);
    } catch (error) {
      if (store.isNameTaken(error)) return { ok: false, reason: 'name-taken' };
      throw error;
    }
  }

  async #record(tx: Db, by: Actor, action: string, before: Carrier | null, after: Carrier | null): Promise<void> {
    const { id = '', name = '' } = after ?? before ?? {};
    const change = { action, subject: { kind: 'settings', id: `carrier ${id}`, name }, by } as const;
    await recordChange(tx, {
      ...change,
      at: this.#options.clock.now(),
      before: toFields(before),
      after: toFields(after),
    });
  }
}
