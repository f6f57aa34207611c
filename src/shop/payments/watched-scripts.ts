import type { OrderScripts } from './block-source.ts';
import type { IssuedScript, LedgerStore } from './ledger-store.ts';

/** Every script ever issued, kept in memory and brought up to date by what was issued since. */
export class WatchedScripts {
  readonly #store: Pick<LedgerStore<unknown>, 'scriptsAfter'>;
  readonly #orders = new Map<string, string>();
  readonly #all: Uint8Array[] = [];
  readonly #lastIndex = new Map<string, number>();

  constructor(store: { scriptsAfter(known: ReadonlyMap<string, number>): Promise<readonly IssuedScript[]> }) {
    this.#store = store;
  }

  get orders(): OrderScripts {
    return this.#orders;
  }

  get all(): readonly Uint8Array[] {
    return this.#all;
  }

  /** An index is taken under its account's row lock, so indexes are committed in their order and none is passed over. */
  async load(): Promise<void> {
    for (const { script, scriptHex, orderId, account, index } of await this.#store.scriptsAfter(this.#lastIndex)) {
      if (!this.#orders.has(scriptHex)) this.#all.push(script);
      this.#orders.set(scriptHex, orderId);
      this.#lastIndex.set(account, Math.max(index, this.#lastIndex.get(account) ?? -1));
    }
  }
}
