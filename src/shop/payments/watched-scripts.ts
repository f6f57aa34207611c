import type { OrderScripts } from './block-source.ts';
import type { LedgerStore } from './ledger-store.ts';

/** Every script ever issued, kept in memory and brought up to date by what was issued since. */
export class WatchedScripts {
  readonly #store: Pick<LedgerStore<unknown>, 'scriptsSince'>;
  readonly #orders = new Map<string, string>();
  readonly #byOrder = new Map<string, Uint8Array>();
  #mark: string | null = null;

  constructor(store: Pick<LedgerStore<unknown>, 'scriptsSince'>) {
    this.#store = store;
  }

  get orders(): OrderScripts {
    return this.#orders;
  }

  /** The scripts of some orders, as far as they are known. */
  of(orderIds: Iterable<string>): Uint8Array[] {
    return [...orderIds].flatMap((orderId) => this.#byOrder.get(orderId) ?? []);
  }

  /** Whatever was committed before this call is known after it. */
  async load(): Promise<void> {
    const { scripts, mark } = await this.#store.scriptsSince(this.#mark);
    for (const { script, scriptHex, orderId } of scripts) {
      this.#orders.set(scriptHex, orderId);
      this.#byOrder.set(orderId, script);
    }
    this.#mark = mark;
  }
}
