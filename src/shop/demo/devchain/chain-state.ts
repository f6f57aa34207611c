/**
 * The devchain in memory: best chain, mempool, and indexes of both. Rebuilt from the stored blocks
 * at start; changed only by `apply`, after the change was stored.
 * An output is unspent if its transaction is indexed and has no spender, so there is no separate
 * set of unspent outputs to undo.
 */
import type { ParsedTransaction, TransactionInput } from '#src/platform/bitcoin/transaction.ts';
import { GENESIS_BLOCK } from './regtest-rules.ts';
import { parseBlock } from './stored-block.ts';
import type { StoredBlock } from './stored-block.ts';

export interface IndexedTransaction {
  readonly transaction: ParsedTransaction;
  /** Null in the mempool. */
  readonly block: StoredBlock | null;
  readonly feeSats: bigint;
}

export interface MempoolEntry extends IndexedTransaction {
  readonly block: null;
  /** Order of arrival; parents precede their children. */
  readonly position: bigint;
}

/** One change of the chain, stored and applied as a whole. */
export interface ChainChange {
  /** Blocks above this height are removed. */
  readonly forkHeight: number;
  /** New blocks on top of the fork, in order. Their transactions leave the mempool. */
  readonly connect: readonly StoredBlock[];
  /** Leave the mempool without being mined; children before their parents. */
  readonly drop: readonly string[];
  /** Enter the mempool; parents before their children. */
  readonly add: readonly MempoolEntry[];
}

export interface UnspentOutput {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: bigint;
  readonly script: Buffer;
  readonly block: StoredBlock | null;
  readonly isCoinbase: boolean;
}

export function formatOutpoint({ txid, vout }: Pick<TransactionInput, 'txid' | 'vout'>): string {
  return `${txid}:${vout}`;
}

export class ChainState {
  readonly #blocks: StoredBlock[] = [parseBlock(GENESIS_BLOCK, 0)];
  readonly #blocksByHash = new Map<string, StoredBlock>(this.#blocks.map((block) => [block.hash, block]));
  readonly #transactions = new Map<string, IndexedTransaction>();
  readonly #mempool = new Map<string, MempoolEntry>();
  /** Spending transaction by outpoint, mined or not. */
  readonly #spenders = new Map<string, { readonly txid: string; readonly vin: number }>();
  /** Transactions that fund or spend a script (hex), oldest first. */
  readonly #history = new Map<string, Set<string>>();
  /** Unspent outpoints by script (hex), so that a wallet does not read its whole history. */
  readonly #unspent = new Map<string, Set<string>>();

  get tip(): StoredBlock {
    const block = this.#blocks.at(-1);
    if (block === undefined) throw new Error('the chain has no genesis block');
    return block;
  }

  get mempool(): ReadonlyMap<string, MempoolEntry> {
    return this.#mempool;
  }

  get nextPosition(): bigint {
    let last = 0n;
    for (const { position } of this.#mempool.values()) if (position > last) last = position;
    return last + 1n;
  }

  findBlockAt(height: number): StoredBlock | undefined {
    return this.#blocks[height];
  }

  findBlockByHash(hash: string): StoredBlock | undefined {
    return this.#blocksByHash.get(hash);
  }

  findTransaction(txid: string): IndexedTransaction | undefined {
    return this.#transactions.get(txid);
  }

  findSpender(
    outpoint: Pick<TransactionInput, 'txid' | 'vout'>,
  ): { readonly txid: string; readonly vin: number } | undefined {
    return this.#spenders.get(formatOutpoint(outpoint));
  }

  /**
   * Median time past: of the 11 blocks up to a height, in seconds. The next block must be later.
   */
  computeMedianTimePast(height: number): number {
    const times = this.#blocks.slice(Math.max(0, height - 10), height + 1).map((block) => block.time);
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  }

  /** Transactions of a script, oldest first, unconfirmed last. */
  listHistory(scriptHex: string): IndexedTransaction[] {
    const entries = [...(this.#history.get(scriptHex) ?? [])].map((txid) => this.#transactions.get(txid));
    const known = entries.filter((entry) => entry !== undefined);
    return [...known.filter((entry) => entry.block !== null), ...known.filter((entry) => entry.block === null)];
  }

  listUnspent(scriptHex: string): UnspentOutput[] {
    return [...(this.#unspent.get(scriptHex) ?? [])].map((key) => {
      const found = this.findOutput(parseOutpoint(key));
      if (found === undefined) throw new Error('an unspent output has no transaction');
      return found;
    });
  }

  /** An output, spent or not. */
  findOutput({ txid, vout }: Pick<TransactionInput, 'txid' | 'vout'>): UnspentOutput | undefined {
    const entry = this.#transactions.get(txid);
    const output = entry?.transaction.outputs[vout];
    if (entry === undefined || output === undefined) return undefined;
    const { amountSats, script } = output;
    return { txid, vout, amountSats, script, block: entry.block, isCoinbase: entry.transaction.isCoinbase };
  }

  /** Unconfirmed descendants of these transactions; children before their parents. */
  listWithDescendants(txids: Iterable<string>): string[] {
    const descendants = new Set<string>();
    const queue = [...txids];
    for (let txid = queue.pop(); txid !== undefined; txid = queue.pop()) {
      const entry = this.#mempool.get(txid);
      if (entry === undefined || descendants.has(txid)) continue;
      descendants.add(txid);
      for (const vout of entry.transaction.outputs.keys()) {
        const spender = this.#spenders.get(formatOutpoint({ txid, vout }));
        if (spender !== undefined) queue.push(spender.txid);
      }
    }
    return [...this.#mempool.keys()].filter((txid) => descendants.has(txid)).toReversed();
  }

  apply(change: ChainChange): void {
    for (const txid of change.drop) this.#leaveMempool(txid);
    while (this.tip.height > change.forkHeight) this.#disconnectTip();
    for (const block of change.connect) this.#connect(block);
    for (const entry of change.add) {
      this.#mempool.set(entry.transaction.txid, entry);
      this.#index(entry);
    }
  }

  #leaveMempool(txid: string): void {
    const entry = this.#mempool.get(txid);
    if (entry === undefined) throw new Error('dropped a transaction that is not in the mempool');
    this.#mempool.delete(txid);
    this.#unindex(entry);
  }

  #disconnectTip(): void {
    const block = this.#blocks.pop();
    if (block === undefined || block.height === 0) throw new Error('the genesis block cannot be removed');
    this.#blocksByHash.delete(block.hash);
    for (const { txid } of block.transactions.toReversed()) {
      const entry = this.#transactions.get(txid);
      if (entry !== undefined) this.#unindex(entry);
    }
  }

  #connect(block: StoredBlock): void {
    if (block.prevHash !== this.tip.hash || block.height !== this.tip.height + 1)
      throw new Error('blocks out of order');
    this.#blocks.push(block);
    this.#blocksByHash.set(block.hash, block);
    for (const transaction of block.transactions) {
      const waiting = this.#mempool.get(transaction.txid);
      if (waiting === undefined) {
        this.#index({ transaction, block, feeSats: this.computeFee(transaction) });
      } else {
        this.#mempool.delete(transaction.txid);
        this.#transactions.set(transaction.txid, { transaction, block, feeSats: waiting.feeSats });
      }
    }
  }

  /** Fee in sats; the inputs must be indexed. */
  computeFee(transaction: ParsedTransaction): bigint {
    if (transaction.isCoinbase) return 0n;
    const spent = transaction.inputs.reduce((sum, input) => sum + (this.findOutput(input)?.amountSats ?? 0n), 0n);
    return transaction.outputs.reduce((left, output) => left - output.amountSats, spent);
  }

  #index(entry: IndexedTransaction): void {
    const { txid, inputs, outputs, isCoinbase } = entry.transaction;
    this.#transactions.set(txid, entry);
    if (!isCoinbase) {
      for (const [vin, input] of inputs.entries()) {
        const key = formatOutpoint(input);
        const scriptHex = this.#findScriptHex(input);
        this.#spenders.set(key, { txid, vin });
        this.#unspent.get(scriptHex)?.delete(key);
        addTo(this.#history, scriptHex, txid);
      }
    }
    for (const [vout, { scriptHex }] of outputs.entries()) {
      addTo(this.#history, scriptHex, txid);
      addTo(this.#unspent, scriptHex, formatOutpoint({ txid, vout }));
    }
  }

  #unindex(entry: IndexedTransaction): void {
    const { txid, inputs, outputs, isCoinbase } = entry.transaction;
    for (const [vout, { scriptHex }] of outputs.entries()) {
      removeFrom(this.#history, scriptHex, txid);
      removeFrom(this.#unspent, scriptHex, formatOutpoint({ txid, vout }));
    }
    if (!isCoinbase) {
      for (const input of inputs) {
        const key = formatOutpoint(input);
        const scriptHex = this.#findScriptHex(input);
        this.#spenders.delete(key);
        addTo(this.#unspent, scriptHex, key);
        removeFrom(this.#history, scriptHex, txid);
      }
    }
    this.#transactions.delete(txid);
  }

  #findScriptHex(input: TransactionInput): string {
    const scriptHex = this.#transactions.get(input.txid)?.transaction.outputs[input.vout]?.scriptHex;
    if (scriptHex === undefined) throw new Error('the spent output of an input is missing');
    return scriptHex;
  }
}

function parseOutpoint(key: string): { txid: string; vout: number } {
  return { txid: key.slice(0, 64), vout: Number(key.slice(65)) };
}

function addTo(index: Map<string, Set<string>>, key: string, value: string): void {
  const values = index.get(key);
  if (values === undefined) index.set(key, new Set([value]));
  else values.add(value);
}

function removeFrom(index: Map<string, Set<string>>, key: string, value: string): void {
  const values = index.get(key);
  values?.delete(value);
  if (values?.size === 0) index.delete(key);
}
