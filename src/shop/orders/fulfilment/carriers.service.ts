/** Carriers of parcels, which owners edit. Shipments keep the name and the link of their time. */
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '#src/platform/http/call.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { changeDocument } from '#src/shop/editing/service.ts';
import type { DocumentChange } from '#src/shop/editing/service.ts';
import * as store from './carriers.store.ts';
import type { Carrier, CarrierFields } from './carriers.store.ts';

export interface CarriersOptions {
  readonly db: Db;
  readonly clock: Clock;
}

type Changed = Promise<Carrier | Refusal>;

const NAME_TAKEN = new Refusal(409, 'name-taken', 'Another carrier has this name', { fields: { name: 'is taken' } });

const toFields = ({ name, url_pattern }: Carrier) => ({ name, url_pattern });

export class Carriers {
  readonly #options: CarriersOptions;

  constructor(options: CarriersOptions) {
    this.#options = options;
  }

  list(): Promise<readonly Carrier[]> {
    return store.listCarriers(this.#options.db);
  }

  create(fields: CarrierFields, by: Actor): Changed {
    const id = uuidv7();
    return this.#change(id, by, {
      lock: () => Promise.resolve({}),
      write: async (tx) => {
        const saved = { id, ...fields };
        await store.insertCarrier(tx, saved);
        const recorded = { action: 'settings.carrier_created', before: null, after: toFields(saved) };
        return { saved, recorded: { ...recorded, name: saved.name } };
      },
    });
  }

  edit(id: string, fields: CarrierFields, by: Actor): Changed {
    return this.#change(id, by, {
      lock: (tx) => store.lockCarrier(tx, id),
      write: async (tx, before) => {
        const saved = { id, ...fields };
        await store.updateCarrier(tx, saved);
        const recorded = { action: 'settings.carrier_edited', before: toFields(before), after: toFields(saved) };
        return { saved, recorded: { ...recorded, name: saved.name } };
      },
    });
  }

  /** Shipments keep its name. */
  remove(id: string, by: Actor): Changed {
    return this.#change(id, by, {
      lock: (tx) => store.lockCarrier(tx, id),
      write: async (tx, saved) => {
        await store.deleteCarrier(tx, id);
        const recorded = { action: 'settings.carrier_deleted', before: toFields(saved), after: null };
        return { saved, recorded: { ...recorded, name: saved.name } };
      },
    });
  }

  #change<Stored extends object>(
    id: string,
    by: Actor,
    steps: Pick<DocumentChange<Stored, Carrier>, 'lock' | 'write'>,
  ): Changed {
    return changeDocument<Stored, Carrier>(this.#options, {
      by,
      what: 'this carrier',
      subject: { kind: 'settings', id: `carrier ${id}` },
      explain: (error) => (store.isNameTaken(error) ? NAME_TAKEN : null),
      ...steps,
    });
  }
}
