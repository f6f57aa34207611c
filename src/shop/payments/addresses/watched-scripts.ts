import type { RecipientScripts } from '../chain-sync/block-source.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';

/** Every script ever issued, kept in memory and brought up to date by what was issued since. */
export class WatchedScripts {
  readonly #store: Pick<LedgerStore<unknown>, 'scriptsSince'>;
  readonly #recipients = new Map<string, string>();
  readonly #byRecipient = new Map<string, Uint8Array>();
  #mark: string | null = null;

  constructor(store: Pick<LedgerStore<unknown>, 'scriptsSince'>) {
    this.#store = store;
  }

  get recipients(): RecipientScripts {
    return this.#recipients;
  }

  /** The scripts of some payees, as far as they are known. */
  listScripts(recipientIds: Iterable<string>): Uint8Array[] {
    return [...recipientIds].flatMap((recipientId) => this.#byRecipient.get(recipientId) ?? []);
  }

  /** Whatever was committed before this call is known after it. */
  async load(): Promise<void> {
    const { scripts, mark } = await this.#store.scriptsSince(this.#mark);
    for (const { script, scriptHex, recipientId } of scripts) {
      this.#recipients.set(scriptHex, recipientId);
      this.#byRecipient.set(recipientId, script);
    }
    this.#mark = mark;
  }
}
