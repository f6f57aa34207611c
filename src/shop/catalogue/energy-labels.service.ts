import type { ProductRow } from './build-catalogue-data.ts';
import type { CatalogueChanges } from './store.ts';

/** Hides the energy labels of all products while the shop does not show them. */
export class EnergyLabels {
  readonly #isOn: () => boolean;
  #isShown: boolean;

  /** @param isOn setting of the shop */
  constructor(isOn: () => boolean) {
    this.#isOn = isOn;
    this.#isShown = isOn();
  }

  /** The setting changed since the whole catalogue was read. */
  get isOutdated(): boolean {
    return this.#isOn() !== this.#isShown;
  }

  /** Follows the setting when everything was read, so that all products are the same. */
  showAll(loaded: CatalogueChanges): CatalogueChanges {
    if (!loaded.isWhole) return { ...loaded, changed: loaded.changed.map((row) => this.show(row)) };
    this.#isShown = this.#isOn();
    return { ...loaded, rows: { ...loaded.rows, products: loaded.rows.products.map((row) => this.show(row)) } };
  }

  show(row: ProductRow): ProductRow {
    return this.#isShown || row.energy_label === null ? row : { ...row, energy_label: null };
  }
}
