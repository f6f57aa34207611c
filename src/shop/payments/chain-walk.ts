/**
 * Keeps the ledger equal to what the source's best chain and mempool say of the shop's addresses. It is one algorithm
 * over two interfaces: any chain source, any store with transactions. It may crash between any two commits, and two of
 * them may run at once; the ledger comes out the same.
 */
import type { BlockSource, ChainReader } from './block-source.ts';
import { conflictsOf, footingOf } from './find-conflicts.ts';
import type { Footing } from './find-conflicts.ts';
import type {
  ArrivedOutput,
  ChainBlock,
  ChainCursor,
  FoundOutput,
  LedgerStore,
  LedgerTransaction,
} from './ledger-store.ts';
import { COINBASE_MATURITY } from './payment-state.ts';
import { readAncestors, readTransactions } from './read-transactions.ts';
import { WatchedScripts } from './watched-scripts.ts';

export interface ChainWalkParts<Tx> {
  readonly source: BlockSource;
  readonly store: LedgerStore<Tx>;
  readonly reader: ChainReader;
  readonly clock: { now(): Date };
  readonly network: { readonly name: string; readonly genesisHash: string };
  /** Settles orders in the transaction that changed the ledger: what it throws undoes both. */
  readonly onChanged: (tx: Tx, orderIds: readonly string[], now: Date) => Promise<void>;
  /** Called after blocks and mempool were both current at `now`: what is due by then may expire. */
  readonly onReconciled: (now: Date) => Promise<void>;
}

/** The source can't be followed: another network, or an answer that contradicts itself. Nothing was changed. */
export class ChainWalkError extends Error {
  override readonly name = 'ChainWalkError';
}

/** Another watcher committed first, or the source's chain moved while it was read: the pass starts again. */
class StaleViewError extends Error {}

const ATTEMPTS = 20;
/** Blocks before the first one that is walked: a reorganisation right after the start is then unwound like any other. */
const START_MARGIN = 10;
/** Below all the blocks known, as far again as a reorganisation may have gone unseen. */
const LOST_MARGIN = 144;
/** A miner's clock may be this far ahead of the moment when it found the block, or behind it. */
const BLOCK_TIME_SLACK_MS = 2 * 3600 * 1000;
/** An order in a block at most this deep is settled with each new block; then nothing depends on depth any more. */
const SETTLE_DEPTH = COINBASE_MATURITY + 1;

interface ScannedBlock {
  readonly block: ChainBlock;
  readonly outputs: readonly FoundOutput[];
  readonly replaced: readonly string[];
}

export class ChainWalk<Tx> {
  readonly #parts: ChainWalkParts<Tx>;
  readonly #scripts: WatchedScripts;
  /** Mempool transactions already looked at. Trusted only while nobody else moves the cursor. */
  #looked: Set<string> = new Set();
  #lookedAtRevision = -1;
  #isNetworkChecked = false;

  constructor(parts: ChainWalkParts<Tx>) {
    this.#parts = parts;
    this.#scripts = new WatchedScripts(parts.store);
  }

  /**
   * One pass: undoes what left the best chain, applies what is new, compares the whole mempool, then lets orders expire.
   * Each step is one transaction. Throws what the source or the store throws; everything committed until then is true, and
   * nothing else is recorded.
   */
  async pass(): Promise<void> {
    await this.#checkNetwork();
    let revision = -1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reconciledAt = await this.#reconcile(await this.#catchUp());
        await this.#parts.onReconciled(reconciledAt);
        return;
      } catch (error) {
        if (!(error instanceof StaleViewError)) throw error;
        if (attempt === ATTEMPTS) throw new ChainWalkError('the chain moves too fast to be followed');
        // To lose a race against another watcher, or one block against the next, is progress too.
        const now = (await this.#parts.store.cursor())?.revision ?? -1;
        if (now !== revision) attempt = 0;
        revision = now;
      }
    }
  }

  async #checkNetwork(): Promise<void> {
    if (this.#isNetworkChecked) return;
    const { source, store, network } = this.#parts;
    const genesis = await source.blockHash(0);
    if (genesis !== network.genesisHash) {
      throw new ChainWalkError(
        `the chain source is not on ${network.name}: its first block is ${genesis ?? 'missing'}`,
      );
    }
    const cursor = await store.cursor();
    if (cursor !== null && cursor.network !== network.name) {
      throw new ChainWalkError(`the ledger in this database is of ${cursor.network}, the settings say ${network.name}`);
    }
    this.#isNetworkChecked = true;
  }

  /** Brings the blocks up to the source's tip; answers the cursor that was committed last. */
  async #catchUp(): Promise<ChainCursor> {
    const { source, store } = this.#parts;
    let cursor = (await store.cursor()) ?? (await this.#begin());
    if (cursor.revision !== this.#lookedAtRevision) this.#looked.clear();
    for (;;) {
      const tip = await source.tip();
      if (tip.hash === cursor.hash) return cursor;
      const fork = await this.#findFork(cursor, tip);
      // A branch is taken in one transaction, up to where it is as long as the old one: no state in between is ever seen.
      const goal = fork === cursor.height ? fork + 1 : Math.max(fork, Math.min(tip.height, cursor.height + 1));
      cursor = await this.#apply(cursor, fork, goal);
    }
  }

  /** Height of the newest block that is both ours and the source's. */
  async #findFork(cursor: ChainCursor, tip: { readonly height: number; readonly hash: string }): Promise<number> {
    const { source, store } = this.#parts;
    if (tip.height < cursor.height && (await store.hashAt(tip.height)) === tip.hash) {
      throw new ChainWalkError(`the chain source is behind: at block ${tip.height}, the ledger at ${cursor.height}`);
    }
    let height = Math.min(cursor.height, tip.height);
    for (;;) {
      const ours = await store.hashAt(height);
      // Deeper than anything kept: walk a stretch again. Nothing is counted twice, since rows go by outpoint.
      if (ours === null) return Math.max(0, height - LOST_MARGIN);
      if (ours === (await source.blockHash(height))) return height;
      if (height === 0) throw new ChainWalkError('the chain source changed its first block');
      height -= 1;
    }
  }

  /** Leaves our blocks above `fork` and takes the source's up to `goal`, in one transaction. */
  async #apply(cursor: ChainCursor, fork: number, goal: number): Promise<ChainCursor> {
    const { source, store, clock } = this.#parts;
    const footing = footingOf(await store.pendingAbove(fork), this.#parts.reader.spending);
    const known = await store.hashAt(fork);
    const base = known === null ? await this.#headerAt(fork) : null;
    const scanned: ScannedBlock[] = [];
    let previous = known ?? base?.hash;
    for (let height = fork + 1; height <= goal; height += 1) {
      const hash = await source.blockHash(height);
      if (hash === null) throw new StaleViewError();
      const raw = await source.rawBlock(hash);
      // After the block was there: whatever it pays was issued, and committed, before.
      await this.#scripts.load();
      const block = this.#scan(raw, hash, height, footing);
      if (block.prevHash !== previous) throw new StaleViewError();
      scanned.push(block);
      previous = hash;
    }
    const top = scanned.at(-1)?.block ?? base;
    const topHash = top?.hash ?? known;
    if (topHash === null) throw new StaleViewError();
    const now = clock.now();
    return this.#commit(cursor, { height: goal, hash: topHash }, now, async (ledger) => {
      const touched = new Set<string>();
      const touch = (orders: readonly string[]): void => {
        for (const order of orders) touched.add(order);
      };
      if (fork < cursor.height) touch(await ledger.removeBlocksAbove(fork, now));
      if (base !== null) await ledger.addBlock(base);
      for (const { block, outputs, replaced } of scanned) {
        await ledger.addBlock(block);
        const firstSeen = block.time < now ? block.time : now;
        if (outputs.length > 0) touch(await ledger.confirm(outputs, block, firstSeen));
        if (replaced.length > 0) {
          touch(
            await ledger.leave(
              replaced.map((txid) => ({ txid, because: 'replaced' })),
              now,
            ),
          );
          for (const txid of replaced) this.#looked.delete(txid);
        }
      }
      touch(await ledger.ordersAbove(fork - SETTLE_DEPTH));
      return touched;
    });
  }

  #scan(raw: Uint8Array, hash: string, height: number, footing: Footing): ScannedBlock & { readonly prevHash: string } {
    const { reader } = this.#parts;
    const read = reader.block(raw, this.#scripts.orders);
    if (read.hash !== hash) throw new ChainWalkError(`asked for block ${hash}, the chain source answered ${read.hash}`);
    const replaced = footing.size === 0 ? [] : [...conflictsOf(footing, reader.spendingsIn(raw, footing))];
    return { block: { height, hash, time: read.time }, outputs: read.outputs, replaced, prevHash: read.prevHash };
  }

  /**
   * Compares the whole mempool with the ledger. Answers the shop's time from before the mempool was asked: what was in the
   * mempool then is in the ledger now.
   */
  async #reconcile(cursor: ChainCursor): Promise<Date> {
    const { source, store, clock, reader } = this.#parts;
    await this.#scripts.load();
    const asked = clock.now();
    const txids = await source.mempoolTxids(this.#scripts.all);
    const fresh = await readTransactions(
      source,
      [...txids].filter((txid) => !this.#looked.has(txid)),
    );
    // A block that came in between took transactions out of the mempool: they did not leave.
    if ((await source.tip()).hash !== cursor.hash) throw new StaleViewError();
    // After the mempool was read: whatever it pays was issued, and committed, before.
    await this.#scripts.load();

    const arrived: ArrivedOutput[] = [];
    for (const raw of fresh.values()) {
      const { outputs } = reader.transaction(raw, this.#scripts.orders);
      if (outputs.length === 0) continue;
      const rawAncestors = await readAncestors(source, reader, raw, txids, fresh);
      arrived.push(...outputs.map((output) => ({ ...output, rawAncestors })));
    }
    const gone = (await store.pendingAbove(cursor.height)).filter(({ txid }) => !txids.has(txid));
    const spendings = gone.length === 0 ? [] : [...fresh.values()].map((raw) => reader.spending(raw));
    const replaced = conflictsOf(footingOf(gone, reader.spending), spendings);
    const left = gone.map(({ txid }) => ({
      txid,
      because: replaced.has(txid) ? ('replaced' as const) : ('dropped' as const),
    }));

    const now = clock.now();
    const to = { height: cursor.height, hash: cursor.hash, reconciledAt: asked };
    await this.#commit(cursor, to, now, async (ledger) => {
      const leavers = left.length === 0 ? [] : await ledger.leave(left, now);
      const arrivers = arrived.length === 0 ? [] : await ledger.arrive(arrived, asked);
      return new Set([...leavers, ...arrivers]);
    });
    this.#looked = new Set([...txids].filter((txid) => this.#looked.has(txid) || fresh.has(txid)));
    return asked;
  }

  /** Moves the cursor, writes, settles what was touched: together or not at all. */
  async #commit(
    cursor: ChainCursor,
    to: { height: number; hash: string; reconciledAt?: Date },
    now: Date,
    write: (ledger: LedgerTransaction) => Promise<ReadonlySet<string>>,
  ): Promise<ChainCursor> {
    await this.#parts.store.transaction(async (ledger, tx) => {
      if (!(await ledger.moveCursor(cursor.revision, to))) throw new StaleViewError();
      const touched = await write(ledger);
      // Sorted, so that whoever locks several orders does so in one order.
      if (touched.size > 0) await this.#parts.onChanged(tx, [...touched].toSorted(), now);
    });
    this.#lookedAtRevision = cursor.revision + 1;
    return { ...cursor, ...to, revision: cursor.revision + 1 };
  }

  async #headerAt(height: number): Promise<ChainBlock> {
    const { source, reader } = this.#parts;
    const hash = await source.blockHash(height);
    if (hash === null) throw new StaleViewError();
    const read = reader.block(await source.rawBlock(hash), this.#scripts.orders);
    if (read.hash !== hash) throw new ChainWalkError(`asked for block ${hash}, the chain source answered ${read.hash}`);
    return { height, hash, time: read.time };
  }

  /**
   * Where to start with an empty ledger: a little below the tip; with addresses that were issued before (a restored
   * database), below the first block that can pay one.
   */
  async #begin(): Promise<ChainCursor> {
    const { source, store, network } = this.#parts;
    const oldest = (await store.oldestIssue())?.getTime() ?? Infinity;
    const { height: tip } = await source.tip();
    const startAt = (margin: number): Promise<ChainBlock> => this.#headerAt(Math.max(0, tip - margin));
    let block = await startAt(START_MARGIN);
    for (let margin = 2 * START_MARGIN; block.height > 0; margin *= 2) {
      if (block.time.getTime() < oldest - BLOCK_TIME_SLACK_MS) break;
      block = await startAt(margin);
    }
    if (!(await store.transaction((ledger) => ledger.begin(network.name, block)))) throw new StaleViewError();
    const cursor = await store.cursor();
    if (cursor === null) throw new StaleViewError();
    return cursor;
  }
}
