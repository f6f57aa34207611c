import { randomBytes } from 'node:crypto';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { acceptTransaction } from './accept-transaction.ts';
import { ChainState } from './chain-state.ts';
import type { ChainChange } from './chain-state.ts';
import { planBlocks, planReorg } from './plan-blocks.ts';
import { getOrCreateWalletSecret, storeChange, listBlocks, listMempool } from './store.ts';
import { DevchainWallet } from './wallet.ts';
import type { BumpRefusal, PayRefusal, ReplaceRefusal, WalletResult } from './wallet.ts';

export interface DevchainOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly network: BitcoinNetwork;
  /** Whether a block is mined automatically after a transaction. */
  readonly autoMine: boolean;
  /** Delay in milliseconds. */
  readonly autoMineDelayMs?: number;
  /** Whether a payment needs more blocks while the mempool is empty. Mining then continues. */
  readonly hasPendingPayments?: () => Promise<boolean>;
}

export type SendResult<Reason> =
  | { readonly ok: true; readonly txid: string }
  | { readonly ok: false; readonly reason: Reason };

/** Blocks mined at the first start, so that the wallet has mature coins. */
const FIRST_BLOCKS = 110;
const FIRST_BLOCK_SPACING_S = 600;
const AUTO_MINE_DELAY_MS = 10_000;

const MAX_BLOCKS_PER_CALL = 1000;

/**
 * A regtest chain in this process with real blocks, transactions and signatures, stored in the
 * database. Changes are serialized, each written to the database first and then to memory.
 */
export class Devchain {
  readonly network: BitcoinNetwork;
  readonly #options: DevchainOptions;
  readonly #wallet: DevchainWallet;
  /** When each mempool transaction arrived. */
  readonly #entered = new Map<string, Date>();
  readonly #listeners = new Set<() => void>();
  #state = new ChainState();
  /** True after a failed write, until the state was read from the database again. */
  #isStale = true;
  #queue: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  private constructor(options: DevchainOptions, wallet: DevchainWallet) {
    this.network = options.network;
    this.#options = options;
    this.#wallet = wallet;
  }

  /**
   * Reads the chain from the database; the first time it creates the wallet and the first blocks.
   * @throws Error on any network but regtest
   */
  static async open(options: DevchainOptions): Promise<Devchain> {
    if (options.network.name !== 'regtest') throw new Error('The devchain runs on regtest only.');
    const wallet = new DevchainWallet(await getOrCreateWalletSecret(options.db, randomBytes(32)));
    const devchain = new Devchain(options, wallet);
    await devchain.#serialize(async () => {
      if (devchain.#state.tip.height === 0) await devchain.#commit(devchain.#planFirstBlocks());
      devchain.#armTimer();
    });
    return devchain;
  }

  /**
   * The present chain. Do not hold it across an await.
   * @throws Error after a failed write, until `waitUntilReady`
   */
  get state(): ChainState {
    if (this.#isStale) throw new Error('the devchain is reloading from the database');
    return this.#state;
  }

  /** When a transaction entered the mempool; null if it is not in the mempool. */
  findEntryTime(txid: string): Date | null {
    return this.#entered.get(txid) ?? null;
  }

  /** Clock of the chain, which is the clock of the shop. */
  now(): Date {
    return this.#options.clock.now();
  }

  /** Resolves when `state` can be read. @throws database errors */
  async waitUntilReady(): Promise<void> {
    while (this.#isStale) await this.#serialize(() => Promise.resolve());
  }

  /** Calls the listener after every change. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops automatic mining and waits for the current change. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#disarmTimer();
    await this.#queue;
  }

  /** Submits a signed transaction to the mempool. Reject reasons are those of Bitcoin Core. */
  submit(raw: Uint8Array): Promise<SendResult<string>> {
    return this.#serialize(() => this.#accept(raw));
  }

  /** Pays from the built-in wallet. */
  pay(address: string, amountSats: bigint): Promise<SendResult<PayRefusal>> {
    return this.#send((wallet, state) => wallet.pay(state, address, amountSats));
  }

  /** Double-spends an unconfirmed payment of the wallet. Its descendants are dropped too. */
  replace(txid: string): Promise<SendResult<ReplaceRefusal>> {
    return this.#send((wallet, state) => wallet.replace(state, txid));
  }

  /** Pays the same recipients with a higher fee. */
  bumpFee(txid: string): Promise<SendResult<BumpRefusal>> {
    return this.#send((wallet, state) => wallet.bumpFee(state, txid));
  }

  /**
   * Mines blocks; the first contains the mempool as far as it fits. Returns the new height.
   * @throws RangeError unless 1 ≤ count ≤ MAX_BLOCKS_AT_ONCE
   */
  mine(count: number): Promise<number> {
    return this.#serialize(async () => {
      if (!Number.isInteger(count) || count < 1 || count > MAX_BLOCKS_PER_CALL)
        throw new RangeError('the number of blocks must be 1 to 1000');
      await this.#commit(planBlocks(this.#state, { count, payTo: this.#wallet.script, getTimeAt: () => this.#now() }));
      return this.#state.tip.height;
    });
  }

  /**
   * Replaces the newest blocks by one more empty block, like a rival miner. Their transactions
   * return to the mempool; those that are no longer valid are dropped with their descendants.
   */
  reorganise(depth: number): Promise<{ ok: true; height: number } | { ok: false; reason: 'depth-out-of-range' }> {
    return this.#serialize(async () => {
      const deepest = Math.min(this.#state.tip.height, MAX_BLOCKS_PER_CALL);
      if (!Number.isInteger(depth) || depth < 1 || depth > deepest) return { ok: false, reason: 'depth-out-of-range' };
      await this.#commit(planReorg(this.#state, { depth, payTo: this.#wallet.script, getTimeAt: () => this.#now() }));
      return { ok: true, height: this.#state.tip.height };
    });
  }

  #now(): number {
    return Math.floor(this.#options.clock.now().getTime() / 1000);
  }

  #planFirstBlocks(): ChainChange {
    const oldest = this.#now() - FIRST_BLOCKS * FIRST_BLOCK_SPACING_S;
    return planBlocks(this.#state, {
      count: FIRST_BLOCKS,
      payTo: this.#wallet.script,
      getTimeAt: (height) => oldest + height * FIRST_BLOCK_SPACING_S,
    });
  }

  #send<Reason>(
    make: (wallet: DevchainWallet, state: ChainState) => WalletResult<Reason>,
  ): Promise<SendResult<Reason>> {
    return this.#serialize(async () => {
      const payment = make(this.#wallet, this.#state);
      if (!payment.ok) return payment;
      const sent = await this.#accept(payment.raw);
      if (!sent.ok) throw new Error(`the devchain refused its own wallet's transaction: ${sent.reason}`);
      return sent;
    });
  }

  async #accept(raw: Uint8Array): Promise<SendResult<string>> {
    const accepted = acceptTransaction(this.#state, raw);
    if (!accepted.ok) return accepted;
    if ('known' in accepted) return { ok: true, txid: accepted.known.txid };
    const { entry, drop } = accepted;
    // The delay starts at the first mempool transaction, not at the last block.
    if (this.#state.mempool.size === 0) this.#disarmTimer();
    await this.#commit({ forkHeight: this.#state.tip.height, connect: [], drop, add: [entry] });
    return { ok: true, txid: entry.transaction.txid };
  }

  /**
   * Database first, then memory. A failed write may have been committed, so memory is read again.
   */
  async #commit(change: ChainChange): Promise<void> {
    try {
      const now = this.now();
      await storeChange(this.#options.db, change, now);
      this.#state.apply(change);
      for (const { transaction } of change.add) this.#entered.set(transaction.txid, now);
      for (const txid of this.#entered.keys()) if (!this.#state.mempool.has(txid)) this.#entered.delete(txid);
    } catch (error) {
      this.#isStale = true;
      await this.#reload().catch((cause: unknown) => {
        this.#options.log.warn({ err: cause }, 'devchain: could not be read again yet');
      });
      throw error;
    }
    this.#armTimer();
    for (const listener of this.#listeners) listener();
  }

  async #reload(): Promise<void> {
    const { db } = this.#options;
    const state = new ChainState();
    for await (const block of listBlocks(db)) {
      state.apply({ forkHeight: state.tip.height, connect: [block], drop: [], add: [] });
    }
    this.#entered.clear();
    for (const { transaction, position, enteredAt } of await listMempool(db)) {
      this.#entered.set(transaction.txid, enteredAt);
      const entry = { transaction, position, block: null, feeSats: state.computeFee(transaction) };
      state.apply({ forkHeight: state.tip.height, connect: [], drop: [], add: [entry] });
    }
    this.#state = state;
    this.#isStale = false;
  }

  #serialize<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(async () => {
      if (this.#isStale) await this.#reload();
      return work();
    });
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #disarmTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #armTimer(): void {
    const { autoMine, autoMineDelayMs = AUTO_MINE_DELAY_MS } = this.#options;
    if (!autoMine || this.#isStopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#mineIfPending();
    }, autoMineDelayMs).unref();
  }

  /** Mines one block if a transaction or a payment needs it. Its commit restarts the timer. */
  async #mineIfPending(): Promise<void> {
    const { log, hasPendingPayments } = this.#options;
    try {
      if (this.#isStopped) return;
      if (this.state.mempool.size > 0 || (await hasPendingPayments?.()) === true) await this.mine(1);
    } catch (error) {
      log.warn({ err: error }, 'devchain: a block could not be mined');
      this.#armTimer();
    }
  }
}
