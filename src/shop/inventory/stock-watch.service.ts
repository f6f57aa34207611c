/** Notices in every process that something was sold out or can be ordered again. */
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { deleteStockChanges, readStockChanges } from './store.ts';
import type { StockPosition } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

export class StockWatch {
  readonly #db: Db;
  readonly #clock: Clock;
  #position: StockPosition | null = null;
  #version = 0;

  readonly #onChanged: (variantIds: readonly string[]) => Promise<void>;

  /** @param onChanged called with variants that were sold out or became available; again if it fails */
  constructor(db: Db, clock: Clock, onChanged: (variantIds: readonly string[]) => Promise<void> = async () => {}) {
    this.#db = db;
    this.#clock = clock;
    this.#onChanged = onChanged;
  }

  /** Changes after something was sold out or became available. Not at once: see `check`. */
  get version(): number {
    return this.#version;
  }

  /** Reads what has changed since the last call; the first call only notes where to begin. */
  async check(): Promise<void> {
    const { next, changedIds } = await readStockChanges(this.#db, this.#position);
    if (changedIds.length > 0) await this.#onChanged(changedIds);
    this.#position = next;
    if (changedIds.length > 0) this.#version += 1;
  }

  /** Deletes changes that every process has read. Runs hourly. */
  deleteOld(): Promise<void> {
    return deleteStockChanges(this.#db, new Date(this.#clock.now().getTime() - KEPT_MS));
  }
}
