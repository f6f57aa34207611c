/**
 * Keeps the ledger equal to what the source's best chain and mempool say of the shop's addresses. It is one algorithm
 * over two interfaces: any chain source, any store with transactions. It may crash between any two commits, and two of
 * them may run at once; the ledger comes out the same.
 */
import type { SourceMempoolEntry } from '../ledger/first-seen.ts';
import type { BlockSource, ChainReader } from './block-source.ts';
import { BlockPrefetcher } from './block-prefetcher.ts';
import { compareMempool } from './compare-mempool.ts';
import { findConflicts, indexSpentOutpoints } from './find-conflicts.ts';
import type { SpentOutpoints } from './find-conflicts.ts';
import { findStart, WrongBlockError, readBlockAt } from './find-start.ts';
import type {
  ChainBlock,
  ChainCursor,
  LedgerStore,
  LedgerTransaction,
  PendingTransaction,
} from '../ledger/ledger-store.ts';
import { recordBlocks, RECONCILE_DEPTH } from './record-blocks.ts';
import type { ScannedBlock } from './record-blocks.ts';
import { WatchedScripts } from '../addresses/watched-scripts.ts';

export interface ChainSyncOptions<Tx> {
  readonly source: BlockSource;
  readonly store: LedgerStore<Tx>;
  readonly reader: ChainReader;
  readonly clock: { now(): Date };
  readonly network: { readonly name: string; readonly genesisHash: string };
  /** Payees that money is waited for at: a source that looks up single scripts is asked for theirs. */
  readonly waitingRecipients: () => Promise<readonly string[]>;
  /** A source whose newest block is older than this is not believed to be current, in ms; null where blocks come rarely. */
  readonly maxBlockAgeMs: number | null;
  /** What the source knows of payments in its mempool; those that it does not know of are left out. Never throws. */
  readonly readMempoolEntries?: (txids: readonly string[]) => Promise<ReadonlyMap<string, SourceMempoolEntry>>;
  /** Settles what the ledger says of the payees, in the transaction that changed it: what it throws undoes both. */
  readonly onChanged: (tx: Tx, recipientIds: readonly string[], now: Date) => Promise<void>;
  /** Called after blocks and mempool were both current at `now`: what is due by then may expire. */
  readonly onReconciled: (now: Date) => Promise<void>;
}

/** The source can't be followed: another network, or an answer that contradicts itself. Nothing was changed. */
export class ChainSyncError extends Error {
  override readonly name = 'ChainWalkError';
}

/** Another watcher committed first, or the source's chain moved while it was read: the pass starts again. */
class StaleViewError extends Error {}

const ATTEMPTS = 20;
/** Below all the blocks known, as far again as a reorganisation may have gone unseen. */
const RESYNC_MARGIN = 144;
/** So many blocks in which nothing happens to anything watched are written at once. */
const MAX_BATCH_BLOCKS = 50;

export class ChainSync<Tx> {
  readonly #parts: ChainSyncOptions<Tx>;
  readonly #scripts: WatchedScripts;
  /** Mempool transactions already looked at. Trusted only while nobody else moves the cursor. */
  #readTxids: Set<string> = new Set();
  #readAtRevision = -1;
  #isNetworkChecked = false;
  /** The newest block whose time is known. */
  #newest: ChainBlock | null = null;

  constructor(parts: ChainSyncOptions<Tx>) {
    this.#parts = parts;
    this.#scripts = new WatchedScripts(parts.store);
  }

  /**
   * One pass: undoes what left the best chain, applies what is new, compares the whole mempool, then lets orders expire.
   * Each step is one transaction. Throws what the source or the store throws; everything committed until then is true, and
   * nothing else is recorded.
   */
  async sync(): Promise<void> {
    if (!this.#isNetworkChecked) await this.#checkNetwork();
    let revision = -1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const cursor = await this.#catchUp();
        const reconciledAt = await this.#reconcile(cursor);
        await this.#checkBlockAge(cursor);
        await this.#parts.onReconciled(reconciledAt);
        return;
      } catch (error) {
        if (!(error instanceof StaleViewError)) throw error;
        if (attempt === ATTEMPTS) throw new ChainSyncError('the chain moves too fast to be followed');
        // To lose a race against another watcher, or one block against the next, is progress too.
        const now = (await this.#parts.store.cursor())?.revision ?? -1;
        if (now !== revision) attempt = 0;
        revision = now;
      }
    }
  }

  async #checkNetwork(): Promise<void> {
    const { source, store, network } = this.#parts;
    const genesis = await source.blockHash(0);
    if (genesis !== network.genesisHash) {
      throw new ChainSyncError(
        `the chain source is not on ${network.name}: its first block is ${genesis ?? 'missing'}`,
      );
    }
    const cursor = await store.cursor();
    if (cursor !== null && cursor.network !== network.name) {
      throw new ChainSyncError(`the ledger in this database is of ${cursor.network}, the settings say ${network.name}`);
    }
    this.#isNetworkChecked = true;
  }

  /** Brings the blocks up to the source's tip; answers the cursor that was committed last. */
  async #catchUp(): Promise<ChainCursor> {
    const { source, store } = this.#parts;
    let cursor = (await store.cursor()) ?? (await this.#start());
    if (cursor.revision !== this.#readAtRevision) this.#readTxids.clear();
    for (;;) {
      const tip = await source.tip();
      if (tip.hash === cursor.hash) return cursor;
      const fork = await this.#findFork(cursor, tip);
      // A source that turned to another network would look like a deep reorganisation.
      if (fork < cursor.height) await this.#checkNetwork();
      cursor = await this.#take(cursor, fork, tip.height);
    }
  }

  /** Takes the source's blocks above the fork, while the next ones are being read. */
  async #take(from: ChainCursor, fork: number, tip: number): Promise<ChainCursor> {
    // A branch is taken in one transaction, up to where it is as long as the old one: no state in between is ever seen.
    const branch = Math.max(fork, Math.min(tip, from.height + 1));
    if (branch === from.height && fork === branch) throw new StaleViewError();
    const ahead = new BlockPrefetcher(this.#parts.source, tip);
    try {
      let cursor = fork < from.height ? await this.#apply(from, fork, branch, ahead) : from;
      while (cursor.height < tip)
        cursor = await this.#apply(cursor, cursor.height, await this.#chooseTarget(cursor, tip), ahead);
      return cursor;
    } finally {
      await ahead.drain();
    }
  }

  /** One block a transaction, so that every state is told; many while nobody's state depends on them. */
  async #chooseTarget({ height }: ChainCursor, tip: number): Promise<number> {
    const isQuiet = tip > height + 1 && (await this.#parts.store.isQuietAbove(height - RECONCILE_DEPTH));
    return isQuiet ? Math.min(tip, height + MAX_BATCH_BLOCKS) : height + 1;
  }

  /** Height of the newest block that is both ours and the source's. */
  async #findFork(cursor: ChainCursor, tip: { readonly height: number; readonly hash: string }): Promise<number> {
    const { source, store } = this.#parts;
    // Below all that is kept too: a branch gives way to one of more work, never to one that is a thousand blocks shorter.
    if (tip.height < cursor.height && [tip.hash, null].includes(await store.hashAt(tip.height))) {
      throw new ChainSyncError(`the chain source is behind: at block ${tip.height}, the ledger at ${cursor.height}`);
    }
    let height = Math.min(cursor.height, tip.height);
    for (;;) {
      const ours = await store.hashAt(height);
      // Deeper than anything kept: walk a stretch again. Nothing is counted twice, since rows go by outpoint.
      if (ours === null) return Math.max(0, height - RESYNC_MARGIN);
      if (ours === (await source.blockHash(height))) return height;
      if (height === 0) throw new ChainSyncError('the chain source changed its first block');
      height -= 1;
    }
  }

  /**
   * Leaves our blocks above `fork` and takes the source's up to `goal`, in one transaction; on our own branch it stops at a
   * block that means something.
   */
  async #apply(cursor: ChainCursor, fork: number, goal: number, ahead: BlockPrefetcher): Promise<ChainCursor> {
    const { store, clock } = this.#parts;
    // Those that left too: once what spends their coins is deep enough, they can't come back.
    const open = [...(await store.pendingAbove(fork)), ...(await store.leftAbove(fork))];
    const footing = indexSpentOutpoints(open, this.#parts.reader.spending);
    const known = await store.hashAt(fork);
    const base = known === null ? await this.#blockAt(fork) : null;
    const scanned: ScannedBlock[] = [];
    let previous = known ?? base?.hash;
    for (let next = fork + 1, last = goal; next <= last;) {
      const read = await ahead.take(next, last);
      if (read === null) throw new StaleViewError();
      // After the blocks were there: whatever they pay was issued, and committed, before.
      await this.#scripts.load();
      for (const { height, hash, raw } of read) {
        const block = this.#scan(raw, hash, height, footing);
        if (block.prevHash !== previous) throw new StaleViewError();
        scanned.push(block);
        previous = hash;
        next = height + 1;
        if (fork === cursor.height && (block.outputs.length > 0 || block.replaced.length > 0)) last = height;
        if (height === last) break;
      }
      ahead.release(next - 1);
    }
    const top = scanned.at(-1)?.block ?? base;
    const topHash = top?.hash ?? known;
    if (topHash === null) throw new StaleViewError();
    this.#newest = top;
    const now = clock.now();
    const isBranch = fork < cursor.height;
    return this.#commit(cursor, { height: top?.height ?? fork, hash: topHash }, now, async (ledger) => {
      for (const { replaced } of scanned) for (const { txid } of replaced) this.#readTxids.delete(txid);
      const { reconciledAt } = cursor;
      return recordBlocks(ledger, { fork, isBranch, base, scanned, now, reconciledAt });
    });
  }

  #scan(
    raw: Uint8Array,
    hash: string,
    height: number,
    footing: SpentOutpoints,
  ): ScannedBlock & { readonly prevHash: string } {
    const { reader } = this.#parts;
    const read = reader.block(raw, this.#scripts.recipients);
    if (read.hash !== hash)
      throw new WrongBlockError(`asked for block ${hash}, the chain source answered ${read.hash}`);
    const conflicts = footing.size === 0 ? [] : [...findConflicts(footing, reader.spendingsIn(raw, footing))];
    const replaced = conflicts.map(([txid, by]) => ({ txid, by }));
    return { block: { height, hash, time: read.time }, outputs: read.outputs, replaced, prevHash: read.prevHash };
  }

  /**
   * Compares the whole mempool with the ledger. Answers the shop's time from before the mempool was asked: what was in the
   * mempool then is in the ledger now.
   */
  async #reconcile(cursor: ChainCursor): Promise<Date> {
    const { source, store, clock, reader, readMempoolEntries = async () => new Map() } = this.#parts;
    await this.#scripts.load();
    const asked = clock.now();
    const pending = await store.pendingAbove(cursor.height);
    const { arrived, left, readTxids } = await compareMempool({
      source,
      reader,
      pending,
      readTxids: this.#readTxids,
      readMempoolEntries,
      requestedAt: asked,
      reconciledAt: cursor.reconciledAt,
      scriptsToAsk: () => this.#scriptsToAsk(pending),
      allScripts: () => this.#scripts.load().then(() => this.#scripts.recipients),
    });
    // A block that came in between took transactions out of the mempool: they did not leave.
    if ((await source.tip()).hash !== cursor.hash) throw new StaleViewError();

    const now = clock.now();
    const to = { ...cursor, reconciledAt: asked };
    await this.#commit(cursor, to, now, async (ledger) => {
      const leavers = left.length === 0 ? [] : await ledger.markLeft(left, now);
      const arrivers = arrived.length === 0 ? [] : await ledger.addMempoolOutputs(arrived, asked);
      return new Set([...leavers, ...arrivers]);
    });
    this.#readTxids = readTxids;
    return asked;
  }

  /** Of the payees that wait for money, and of those that have some which is not in a block yet. */
  async #scriptsToAsk(pending: readonly PendingTransaction[]): Promise<readonly Uint8Array[]> {
    const { waitingRecipients, reader } = this.#parts;
    const paid = pending.flatMap(({ rawTx }) => reader.transaction(rawTx, this.#scripts.recipients).outputs);
    return this.#scripts.listScripts(
      new Set([...(await waitingRecipients()), ...paid.map(({ recipientId }) => recipientId)]),
    );
  }

  /** A source that stands still says nothing of what happens: nothing may expire by it. */
  async #checkBlockAge({ height, hash }: ChainCursor): Promise<void> {
    const { maxBlockAgeMs, clock } = this.#parts;
    if (maxBlockAgeMs === null) return;
    if (this.#newest?.hash !== hash) this.#newest = await this.#blockAt(height);
    const { time } = this.#newest;
    if (clock.now().getTime() - time.getTime() <= maxBlockAgeMs) return;
    throw new ChainSyncError(`the chain source has no block since ${time.toISOString()}: it may have lost the network`);
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
      // Sorted, so that whoever locks several of them does so in one order.
      if (touched.size > 0) await this.#parts.onChanged(tx, [...touched].toSorted(), now);
    });
    this.#readAtRevision = cursor.revision + 1;
    return { ...cursor, ...to, revision: cursor.revision + 1 };
  }

  async #blockAt(height: number): Promise<ChainBlock> {
    const block = await readBlockAt(this.#parts.source, this.#parts.reader, height);
    if (block === null) throw new StaleViewError();
    return block;
  }

  async #start(): Promise<ChainCursor> {
    const { source, store, reader, network } = this.#parts;
    const block = await findStart(source, reader, await store.oldestIssue());
    const isFirst = block !== null && (await store.transaction((ledger) => ledger.start(network.name, block)));
    const cursor = isFirst ? await store.cursor() : null;
    if (cursor === null) throw new StaleViewError();
    return cursor;
  }
}
