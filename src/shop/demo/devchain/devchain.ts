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
  /** Whether a block is mined by itself some time after a transaction has arrived. */
  readonly autoMine: boolean;
  /** How long after, in milliseconds. */
  readonly autoMineDelayMs?: number;
  /** Whether somebody waits for more blocks while the mempool is empty: then mining goes on at the same pace. */
  readonly hasPendingPayments?: () => Promise<boolean>;
}

export type SendResult<Reason> =
  | { readonly ok: true; readonly txid: string }
  | { readonly ok: false; readonly reason: Reason };

/** At the first start this many blocks are mined, so that the wallet has coins which have matured. */
const FIRST_BLOCKS = 110;
const FIRST_BLOCK_SPACING_S = 600;
const AUTO_MINE_DELAY_MS = 10_000;

const MAX_BLOCKS_PER_CALL = 1000;

/**
 * A regtest chain in this process: genuine blocks, transactions and signatures, kept in the database. Every mutation
 * waits for the one before it, is written to the database first and to memory after, in one step each.
 */
export class Devchain {
  readonly network: BitcoinNetwork;
  readonly #options: DevchainOptions;
  readonly #wallet: DevchainWallet;
  /** When what is in the mempool entered it. */
  readonly #entered = new Map<string, Date>();
  readonly #listeners = new Set<() => void>();
  #state = new ChainState();
  /** True from a failed write until memory has been read from the database again. */
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
   * Reads the chain from the database; the first time of all, makes wallet and first blocks.
   * @throws Error on any network but regtest
   */
  static async open(options: DevchainOptions): Promise<Devchain> {
    if (options.network.name !== 'regtest') throw new Error('The devchain runs on regtest and on no other network.');
    const wallet = new DevchainWallet(await getOrCreateWalletSecret(options.db, randomBytes(32)));
    const devchain = new Devchain(options, wallet);
    await devchain.#serialize(async () => {
      if (devchain.#state.tip.height === 0) await devchain.#commit(devchain.#firstBlocks());
      devchain.#armTimer();
    });
    return devchain;
  }

  /** The chain to read from. Do not keep it across an await. @throws Error after a failed write, until `ready` */
  get state(): ChainState {
    if (this.#isStale) throw new Error('the devchain is being read from the database again');
    return this.#state;
  }

  /** When a transaction entered the mempool; null for one that is not there. */
  enteredAt(txid: string): Date | null {
    return this.#entered.get(txid) ?? null;
  }

  /** The chain's own clock, which is the shop's. */
  now(): Date {
    return this.#options.clock.now();
  }

  /** Resolves when `state` may be read. @throws what the database throws */
  async ready(): Promise<void> {
    while (this.#isStale) await this.#serialize(() => Promise.resolve());
  }

  /** Calls back after every change. Answers an unsubscribe. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Mines no more by itself, and waits for the mutation under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#disarmTimer();
    await this.#queue;
  }

  /** Takes a signed transaction into the mempool. A refusal's reason is in Bitcoin Core's words. */
  submit(raw: Uint8Array): Promise<SendResult<string>> {
    return this.#serialize(() => this.#accept(raw));
  }

  /** Pays from the built-in wallet. */
  pay(address: string, amountSats: bigint): Promise<SendResult<PayRefusal>> {
    return this.#send((wallet, state) => wallet.pay(state, address, amountSats));
  }

  /** Double-spends a waiting payment of the wallet away from its recipients; what builds on it leaves with it. */
  replace(txid: string): Promise<SendResult<ReplaceRefusal>> {
    return this.#send((wallet, state) => wallet.replace(state, txid));
  }

  /** Pays the same recipients with a higher fee. */
  bumpFee(txid: string): Promise<SendResult<BumpRefusal>> {
    return this.#send((wallet, state) => wallet.bumpFee(state, txid));
  }

  /**
   * Mines blocks; the mempool goes into the first of them, as far as it fits. Answers the new height.
   * @throws RangeError unless 1 ≤ count ≤ MAX_BLOCKS_AT_ONCE
   */
  mine(count: number): Promise<number> {
    return this.#serialize(async () => {
      if (!Number.isInteger(count) || count < 1 || count > MAX_BLOCKS_PER_CALL)
        throw new RangeError('1 to 1000 blocks');
      await this.#commit(planBlocks(this.#state, { count, payTo: this.#wallet.script, timeAt: () => this.#now() }));
      return this.#state.tip.height;
    });
  }

  /**
   * The newest blocks give way to one more of empty ones, as if another miner had worked apart. Their transactions
   * wait in the mempool again; those that are no longer valid are gone, with what builds on them.
   */
  reorg(depth: number): Promise<{ ok: true; height: number } | { ok: false; reason: 'depth-out-of-range' }> {
    return this.#serialize(async () => {
      const deepest = Math.min(this.#state.tip.height, MAX_BLOCKS_PER_CALL);
      if (!Number.isInteger(depth) || depth < 1 || depth > deepest) return { ok: false, reason: 'depth-out-of-range' };
      await this.#commit(planReorg(this.#state, { depth, payTo: this.#wallet.script, timeAt: () => this.#now() }));
      return { ok: true, height: this.#state.tip.height };
    });
  }

  #now(): number {
    return Math.floor(this.#options.clock.now().getTime() / 1000);
  }

  #firstBlocks(): ChainChange {
    const oldest = this.#now() - FIRST_BLOCKS * FIRST_BLOCK_SPACING_S;
    return planBlocks(this.#state, {
      count: FIRST_BLOCKS,
      payTo: this.#wallet.script,
      timeAt: (height) => oldest + height * FIRST_BLOCK_SPACING_S,
    });
  }

  #send<Reason>(
    make: (wallet: DevchainWallet, state: ChainState) => WalletResult<Reason>,
  ): Promise<SendResult<Reason>> {
    return this.#serialize(async () => {
      const made = make(this.#wallet, this.#state);
      if (!made.ok) return made;
      const sent = await this.#accept(made.raw);
      if (!sent.ok) throw new Error(`the devchain refused its own wallet's transaction: ${sent.reason}`);
      return sent;
    });
  }

  async #accept(raw: Uint8Array): Promise<SendResult<string>> {
    const accepted = acceptTransaction(this.#state, raw);
    if (!accepted.ok) return accepted;
    if ('known' in accepted) return { ok: true, txid: accepted.known.txid };
    const { entry, drop } = accepted;
    // The delay counts from the first transaction that waits, not from the block before it.
    if (this.#state.mempool.size === 0) this.#disarmTimer();
    await this.#commit({ forkHeight: this.#state.tip.height, connect: [], drop, add: [entry] });
    return { ok: true, txid: entry.transaction.txid };
  }

  /** Database first, memory after. When the write fails nobody knows whether it took place, so memory is read anew. */
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
      const entry = { transaction, position, block: null, feeSats: state.feeOf(transaction) };
      state.apply({ forkHeight: state.tip.height, connect: [], drop: [], add: [entry] });
    }
    this.#state = state;
    this.#isStale = false;
  }

  #serialize<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(async () => {
      if (this.#isStale) await this.#reload();
      return work();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
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

  /** Mines one block if a transaction or a payment waits for it. The commit of that block arms the timer again. */
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
