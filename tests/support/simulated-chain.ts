/**
 * A simulated block chain with mempool and without cryptography, to compare a ledger with. Raw
 * bytes are lookup keys.
 */
import type { BlockSource, ChainReader } from '#src/shop/payments/chain-sync/block-source.ts';

export interface SimulatedTransaction {
  readonly txid: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly { readonly script: string; readonly amount: bigint }[];
  readonly isCoinbase: boolean;
}

export interface SimulatedBlock {
  readonly hash: string;
  readonly prevHash: string;
  readonly time: number;
  readonly transactions: readonly SimulatedTransaction[];
}

export type Outputs = SimulatedTransaction['outputs'];

const toBytes = (name: string): Uint8Array => Buffer.from(name, 'latin1');
const toName = (raw: Uint8Array): string => Buffer.from(raw).toString('latin1');

const createHash = (kind: 'aa' | 'bb' | 'cc', number: number): string => kind + number.toString(16).padStart(62, '0');

export const GENESIS = createHash('bb', 0);
const genesis: SimulatedBlock = { hash: GENESIS, prevHash: 'none', time: 0, transactions: [] };

export class SimulatedChain {
  readonly chain: SimulatedBlock[] = [genesis];
  readonly mempool = new Map<string, SimulatedTransaction>();
  /** Creation time of each transaction. */
  readonly bornAt = new Map<string, number>();
  now: number;
  readonly #transactions = new Map<string, SimulatedTransaction>();
  readonly #blocks = new Map<string, SimulatedBlock>([[GENESIS, genesis]]);
  readonly #heights = new Map<string, number>();
  readonly #spent = new Map<string, string>();
  #names = 0;

  constructor(now: number) {
    this.now = now;
  }

  get height(): number {
    return this.chain.length - 1;
  }

  #createName(kind: 'aa' | 'bb' | 'cc'): string {
    this.#names += 1;
    return createHash(kind, this.#names);
  }

  findHeight(txid: string): number | null {
    return this.#heights.get(txid) ?? null;
  }

  isActive(txid: string): boolean {
    return this.mempool.has(txid) || this.#heights.has(txid);
  }

  /** All transactions ever created, oldest first. */
  get all(): SimulatedTransaction[] {
    return [...this.#transactions.values()];
  }

  /** Whether another active transaction spends one of its inputs. */
  isConflicted(txid: string): boolean {
    return (this.#transactions.get(txid)?.inputs ?? []).some((outpoint) => {
      const spender = this.#spent.get(outpoint);
      return spender !== undefined && spender !== txid;
    });
  }

  /** Height of the block with a conflict; null while there is none. */
  findConflictHeight(txid: string): number | null {
    const heights = (this.#transactions.get(txid)?.inputs ?? []).flatMap((outpoint) => {
      const spender = this.#spent.get(outpoint);
      return spender === undefined || spender === txid ? [] : (this.findHeight(spender) ?? []);
    });
    return heights.length === 0 ? null : Math.min(...heights);
  }

  listAncestors(txid: string): string[] {
    const parents = (this.#transactions.get(txid)?.inputs ?? [])
      .map(getParent)
      .filter((parent) => this.#transactions.has(parent));
    return parents.flatMap((parent) => [parent, ...this.listAncestors(parent)]);
  }

  make(
    outputs: Outputs,
    inputs: readonly string[] = [`${this.#createName('cc')}:0`],
    isCoinbase = false,
  ): SimulatedTransaction {
    const transaction = { txid: this.#createName('aa'), inputs, outputs, isCoinbase };
    this.#transactions.set(transaction.txid, transaction);
    return transaction;
  }

  send(outputs: Outputs): SimulatedTransaction {
    return this.#enter(this.make(outputs));
  }

  /** Creates a payment that spends an unconfirmed output of a foreign transaction. */
  sendWithParent(outputs: Outputs): SimulatedTransaction {
    const parent = this.#enter(this.make([{ script: 'stranger', amount: 1n }]));
    return this.#enter(this.make(outputs, [`${parent.txid}:0`]));
  }

  replace(txid: string, outputs: Outputs): void {
    const old = this.mempool.get(txid);
    if (old === undefined) return;
    this.drop(txid);
    this.#enter(this.make(outputs, old.inputs));
  }

  /** Removes a transaction and its descendants from the mempool. */
  drop(txid: string): void {
    const transaction = this.mempool.get(txid);
    if (transaction === undefined) return;
    for (const child of this.mempool.values())
      if (child.inputs.some((input) => getParent(input) === txid)) this.drop(child.txid);
    this.mempool.delete(txid);
    this.#forget(transaction);
  }

  /** Returns a dropped transaction to the mempool if it is still valid. */
  restore(txid: string): void {
    const transaction = this.#transactions.get(txid);
    if (transaction !== undefined && this.#isPossible(transaction)) this.#enter(transaction);
  }

  mine(
    take: (transaction: SimulatedTransaction) => boolean,
    extra: readonly SimulatedTransaction[],
    time: number,
  ): void {
    const removed: SimulatedTransaction[] = [];
    for (const transaction of extra) {
      for (const rival of this.mempool.values()) {
        if (rival.inputs.some((input) => transaction.inputs.includes(input))) this.drop(rival.txid);
      }
      if (!this.#isPossible(transaction)) continue;
      this.#activate(transaction, time);
      removed.push(transaction);
    }
    for (const transaction of this.mempool.values()) {
      const isReady = transaction.inputs.every((input) => {
        const parent = getParent(input);
        return !this.mempool.has(parent);
      });
      if (!take(transaction) || !isReady) continue;
      this.mempool.delete(transaction.txid);
      removed.push(transaction);
    }
    const prevHash = this.chain.at(-1)?.hash ?? '';
    const block = { hash: this.#createName('bb'), prevHash, time, transactions: removed };
    this.chain.push(block);
    this.#blocks.set(block.hash, block);
    for (const { txid } of removed) this.#heights.set(txid, this.height);
  }

  /** Removes the newest blocks; their transactions return to the mempool. Returns them. */
  unwind(depth: number): SimulatedTransaction[] {
    const removed = this.chain.splice(Math.max(1, this.chain.length - depth));
    const back = removed.flatMap(({ transactions }) => transactions);
    const waiting = [...this.mempool.values()];
    this.mempool.clear();
    for (const transaction of back) {
      this.#heights.delete(transaction.txid);
      if (transaction.isCoinbase) this.#forget(transaction);
      else this.mempool.set(transaction.txid, transaction);
    }
    for (const transaction of waiting) this.mempool.set(transaction.txid, transaction);
    return back.filter(({ isCoinbase }) => !isCoinbase);
  }

  #isPossible(transaction: SimulatedTransaction): boolean {
    if (this.isActive(transaction.txid) || transaction.inputs.some((input) => this.#spent.has(input))) return false;
    return transaction.inputs.every(
      (input) => !this.#transactions.has(getParent(input)) || this.isActive(getParent(input)),
    );
  }

  #enter(transaction: SimulatedTransaction): SimulatedTransaction {
    this.#activate(transaction, this.now);
    this.mempool.set(transaction.txid, transaction);
    return transaction;
  }

  #activate(transaction: SimulatedTransaction, time: number): void {
    for (const input of transaction.inputs) this.#spent.set(input, transaction.txid);
    if (!this.bornAt.has(transaction.txid)) this.bornAt.set(transaction.txid, Math.min(time, this.now));
  }

  #forget(transaction: SimulatedTransaction): void {
    for (const input of transaction.inputs) this.#spent.delete(input);
  }

  /** A source of this chain. `beforeCall` may throw, or change the chain. */
  createSource(beforeCall: () => void | Promise<void>): BlockSource {
    const respond = async <T>(value: () => T): Promise<T> => {
      await beforeCall();
      return value();
    };
    return {
      readTip: () => respond(() => ({ height: this.height, hash: this.chain.at(-1)?.hash ?? '' })),
      readBlockHash: (height) => respond(() => this.chain[height]?.hash ?? null),
      readRawBlock: (hash) => respond(() => toBytes(hash)),
      listMempoolTxids: () => respond(() => new Set(this.mempool.keys())),
      readRawTransaction: (txid) => respond(() => (this.mempool.has(txid) ? toBytes(txid) : null)),
    };
  }

  readonly reader: ChainReader = {
    readBlock: (raw, scripts) => {
      const block = this.#blocks.get(toName(raw));
      if (block === undefined) throw new Error('no such block');
      const { hash, prevHash, time, transactions } = block;
      return {
        hash,
        prevHash,
        time: new Date(time),
        outputs: transactions.flatMap((one) => findOutputs(one, scripts)),
      };
    },
    readTransaction: (raw, scripts) => {
      const transaction = this.#read(raw);
      return { txid: transaction.txid, outputs: findOutputs(transaction, scripts) };
    },
    readSpending: (raw) => {
      const { txid, inputs } = this.#read(raw);
      return { txid, outpoints: inputs };
    },
    listSpendings: (raw, outpoints) =>
      (this.#blocks.get(toName(raw))?.transactions ?? []).map(({ txid, inputs }) => ({
        txid,
        outpoints: inputs.filter((input) => outpoints.has(input)),
      })),
  };

  #read(raw: Uint8Array): SimulatedTransaction {
    const transaction = this.#transactions.get(toName(raw));
    if (transaction === undefined) throw new Error('no such transaction');
    return transaction;
  }
}

const getParent = (outpoint: string): string => outpoint.slice(0, outpoint.indexOf(':'));

function findOutputs({ txid, outputs, isCoinbase }: SimulatedTransaction, scripts: ReadonlyMap<string, string>) {
  return outputs.flatMap(({ script, amount }, vout) => {
    const recipientId = scripts.get(script);
    return recipientId === undefined
      ? []
      : [{ txid, vout, amountSats: amount, isCoinbase, rawTx: toBytes(txid), recipientId }];
  });
}
