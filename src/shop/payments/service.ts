import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { scanBlock, scanTransaction } from '#src/platform/bitcoin/block.ts';
import type { OutputMatch } from '#src/platform/bitcoin/block.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import { findSpends } from '#src/platform/bitcoin/find-spends.ts';
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { scriptRules } from '#src/platform/bitcoin/wallet-script.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/log.ts';
import type { ChainReader } from './block-source.ts';
import { ChainWalk } from './chain-walk.ts';
import { IndexReserve } from './index-reserve.ts';
import type { FoundOutput } from './ledger-store.ts';
import type { LedgerOutput } from './payment-state.ts';
import * as store from './store.ts';

/** What the ledger holds of several orders, of one moment. */
export interface Ledgers {
  /** The newest block it knows; null before the first. */
  readonly tip: { readonly height: number } | null;
  /** By order: its address, and every output that ever paid it. */
  readonly ledgers: ReadonlyMap<string, { readonly address: string; readonly outputs: readonly LedgerOutput[] }>;
}

export interface ChainHealth {
  readonly isUp: boolean;
  readonly tipHeight: number | null;
  /** When the newest block was found, as its miner stated. */
  readonly tipAt: Date | null;
  /** When blocks and mempool were last both known to be current, by the shop's clock. */
  readonly reconciledAt: Date | null;
}

export interface PaymentsOptions {
  readonly db: Db;
  /** One connection of its own: who waits for an index holds another one, and may hold the last. */
  readonly indexDb: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: ChainSource;
  readonly accountKey: AccountKey;
  /** Settles orders in the transaction that changed their ledger. */
  readonly onLedgerChanged: (tx: Db, orderIds: readonly string[]) => Promise<void>;
  /** The ledger held at `at` all that the source had: what was due by then may expire. */
  readonly onReconciled: (at: Date) => Promise<void>;
}

/** A pass that ended well says that the chain is up for this long, in real time. */
const UP_FOR_MS = 30_000;

/** Addresses, the ledger of what paid them, and how it is kept equal to the chain. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #walk: ChainWalk<Db>;
  readonly #indexes: IndexReserve;
  #upAt: number | null = null;
  #revisionSeen: number | null = null;

  constructor(options: PaymentsOptions) {
    this.#options = options;
    const { db, indexDb, source, clock, accountKey, onLedgerChanged, onReconciled } = options;
    this.#indexes = new IndexReserve((count) => store.takeIndexes(indexDb, accountKey.account, count));
    this.#walk = new ChainWalk({
      source,
      clock,
      onReconciled,
      store: store.ledgerStore(db),
      reader: readerOf(accountKey.network),
      network: accountKey.network,
      onChanged: (tx, orderIds) => onLedgerChanged(tx, orderIds),
    });
  }

  /**
   * Gives an order its own address, the next of the account, in the caller's transaction. It is watched for ever and never
   * given to another order; when the transaction is undone, its index is passed over.
   */
  async issueAddress(tx: Db, orderId: string): Promise<string> {
    const { accountKey, clock } = this.#options;
    const index = await this.#indexes.next();
    const { address, script } = accountKey.address(index);
    const { account } = accountKey;
    await store.insertAddress(tx, { orderId, address, script, account, index, issuedAt: clock.now() });
    return address;
  }

  /** Fewer satoshis than this can't be sent to one of the addresses. */
  get dustSats(): bigint {
    return scriptRules[this.#options.accountKey.script].dustSats;
  }

  /** Outputs, addresses and tip of several orders, read in one statement. */
  ledgerOf(db: Db, orderIds: readonly string[]): Promise<Ledgers> {
    return store.readLedgers(db, orderIds);
  }

  /**
   * An order's address, derived again from the account's key: what was written over in the database is never shown to a
   * payer.
   * @throws when the order has none, or when the stored one is not the derived one.
   */
  async verifiedAddressOf(db: Db, orderId: string): Promise<string> {
    const { accountKey } = this.#options;
    const stored = await store.findAddress(db, orderId);
    if (stored === null) throw new Error(`order ${orderId} has no address`);
    // Of a key that was in use before: it can't be derived any more, and is shown as it is.
    if (stored.account !== accountKey.account) return stored.address;
    const { address } = accountKey.address(stored.index);
    if (address !== stored.address) throw new Error(`the address of order ${orderId} is not the one of its index`);
    return address;
  }

  /** One pass of the watcher; see `ChainWalk.pass`. */
  async runPass(): Promise<void> {
    try {
      await this.#walk.pass();
      this.#upAt = performance.now();
    } catch (error) {
      this.#upAt = null;
      throw error;
    }
  }

  /** For a process that does not watch: sees that another one does. */
  async observe(): Promise<void> {
    const tip = await store.readChainTip(this.#options.db);
    if (tip !== null && tip.revision !== this.#revisionSeen) {
      if (this.#revisionSeen !== null) this.#upAt = performance.now();
      this.#revisionSeen = tip.revision;
    }
  }

  /** Whether the chain source answers: while it does not, nothing expires and payments are "being checked". */
  isUp(): boolean {
    return this.#upAt !== null && performance.now() - this.#upAt < UP_FOR_MS;
  }

  async chainHealth(): Promise<ChainHealth> {
    const tip = await store.readChainTip(this.#options.db);
    const { height: tipHeight = null, tipAt = null, reconciledAt = null } = tip ?? {};
    return { isUp: this.isUp(), tipHeight, tipAt, reconciledAt };
  }

  /** Calls back when the source says that something may have changed. Answers an unsubscribe. */
  onHint(listener: () => void): () => void {
    return this.#options.source.onHint(listener);
  }
}

const foundIn = (matches: readonly OutputMatch<string>[]): FoundOutput[] =>
  matches.map(({ watched, ...output }) => ({ ...output, orderId: watched }));

function readerOf({ powLimitBits }: BitcoinNetwork): ChainReader {
  return {
    block(raw, scripts) {
      const { hash, prevHash, time, matches } = scanBlock(raw, scripts, { powLimitBits });
      return { hash, prevHash, time: new Date(time * 1000), outputs: foundIn(matches) };
    },
    transaction(raw, scripts) {
      const { txid, matches } = scanTransaction(raw, scripts);
      return { txid, outputs: foundIn(matches) };
    },
    spending(raw) {
      const { txid, inputs } = parseTransaction(raw);
      return { txid, outpoints: inputs.map((input) => `${input.txid}:${input.vout}`) };
    },
    spendingsIn: findSpends,
  };
}
