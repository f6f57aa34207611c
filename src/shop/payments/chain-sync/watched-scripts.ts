import type { RecipientScripts } from './block-source.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';

/** In-memory copy of all issued scripts, updated incrementally. */
export class WatchedScripts {
  readonly #store: Pick<LedgerStore<unknown>, 'listScriptsSince'>;
  readonly #recipients = new Map<string, string>();
  readonly #byRecipient = new Map<string, Uint8Array>();
  #mark: string | null = null;

  constructor(store: Pick<LedgerStore<unknown>, 'listScriptsSince'>) {
    this.#store = store;
  }

  get recipients(): RecipientScripts {
    return this.#recipients;
  }

  /** The known scripts of these recipients. */
  listScripts(recipientIds: Iterable<string>): Uint8Array[] {
    return [...recipientIds].flatMap((recipientId) => this.#byRecipient.get(recipientId) ?? []);
  }

  /** Includes everything committed before the call. */
  async load(): Promise<void> {
    const { scripts, mark } = await this.#store.listScriptsSince(this.#mark);
    for (const { script, scriptHex, recipientId } of scripts) {
      this.#recipients.set(scriptHex, recipientId);
      this.#byRecipient.set(recipientId, script);
    }
    this.#mark = mark;
  }
}
