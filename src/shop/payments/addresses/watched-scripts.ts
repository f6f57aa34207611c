import type { PayeeScripts } from '../chain-sync/block-source.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';

/** Every script ever issued, kept in memory and brought up to date by what was issued since. */
export class WatchedScripts {
  readonly #store: Pick<LedgerStore<unknown>, 'scriptsSince'>;
  readonly #payees = new Map<string, string>();
  readonly #byPayee = new Map<string, Uint8Array>();
  #mark: string | null = null;

  constructor(store: Pick<LedgerStore<unknown>, 'scriptsSince'>) {
    this.#store = store;
  }

  get payees(): PayeeScripts {
    return this.#payees;
  }

  /** The scripts of some payees, as far as they are known. */
  of(payeeIds: Iterable<string>): Uint8Array[] {
    return [...payeeIds].flatMap((payeeId) => this.#byPayee.get(payeeId) ?? []);
  }

  /** Whatever was committed before this call is known after it. */
  async load(): Promise<void> {
    const { scripts, mark } = await this.#store.scriptsSince(this.#mark);
    for (const { script, scriptHex, payeeId } of scripts) {
      this.#payees.set(scriptHex, payeeId);
      this.#byPayee.set(payeeId, script);
    }
    this.#mark = mark;
  }
}
