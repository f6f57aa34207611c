/** Recognizes the shop's own addresses, so that no refund is sent back to the shop. */
import type { AccountKey, Branch } from '#src/platform/bitcoin/account-key.ts';
import { listPaidScripts } from '#src/platform/bitcoin/payout.ts';
import type { Db } from '#src/platform/database/database.ts';
import * as store from './own-addresses.store.ts';

/** Gap limit: indexes beyond the last issued address that count as the shop's own. */
const LOOKAHEAD = 200;
/** Yields to other requests after this many derivations. */
const BATCH_SIZE = 20;

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Caches derived scripts; each is derived once. */
export class OwnAddresses {
  readonly #db: Db;
  readonly #account: AccountKey;
  readonly #scripts = new Set<string>();
  readonly #derived: Readonly<Record<Branch, Set<number>>> = { 0: new Set(), 1: new Set() };
  /** All lower indexes are issued or derived. */
  #knownUntil = 0;
  #plannedUntil: Date | null = null;
  #growing: Promise<void> | null = null;

  constructor(db: Db, account: AccountKey) {
    this.#db = db;
    this.#account = account;
  }

  /** Whether a script belongs to the account or was issued under a former one. */
  async has(script: Uint8Array): Promise<boolean> {
    if (await store.isIssued(this.#db, script)) return true;
    this.#growing ??= this.#grow().finally(() => void (this.#growing = null));
    await this.#growing;
    return this.#scripts.has(Buffer.from(script).toString('hex'));
  }

  async #grow(): Promise<void> {
    const { account } = this.#account;
    const next = await store.findNextIndex(this.#db, account);
    await this.#derive(0, await store.listUnissuedIndexes(this.#db, account, this.#knownUntil, next + LOOKAHEAD));
    this.#knownUntil = next;
    await this.#derive(
      1,
      Array.from({ length: LOOKAHEAD }, (_, index) => index),
    );
    const planned = await store.listRefundPlansSince(this.#db, this.#plannedUntil);
    for (const { psbt, to, madeAt } of planned) {
      const change = listPaidScripts(psbt).filter((script) => !to.equals(script));
      for (const script of change) this.#scripts.add(Buffer.from(script).toString('hex'));
      this.#plannedUntil = madeAt;
    }
  }

  async #derive(branch: Branch, indexes: readonly number[]): Promise<void> {
    const derived = this.#derived[branch];
    const missing = indexes.filter((index) => !derived.has(index));
    for (const [at, index] of missing.entries()) {
      this.#scripts.add(Buffer.from(this.#account.deriveKey(branch, index).script).toString('hex'));
      derived.add(index);
      if (at % BATCH_SIZE === BATCH_SIZE - 1) await yieldToEventLoop();
    }
  }
}
