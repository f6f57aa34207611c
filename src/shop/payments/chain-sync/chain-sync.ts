/**
 * Keeps the ledger equal to the best chain and mempool of a chain source. Safe to crash between
 * commits and to run concurrently: the ledger ends up the same.
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
import { WatchedScripts } from './watched-scripts.ts';

export interface ChainSyncOptions<Tx> {
  readonly source: BlockSource;
  readonly store: LedgerStore<Tx>;
  readonly reader: ChainReader;
  readonly clock: { now(): Date };
  readonly network: { readonly name: string; readonly genesisHash: string };
  /**
   * Recipients that expect a payment. A source without a full mempool looks up only their scripts.
   */
  readonly listWaitingRecipients: () => Promise<readonly string[]>;
  /**
   * Maximum age in ms of the source's newest block before the source counts as stale; null disables
   * the check.
   */
  readonly maxBlockAgeMs: number | null;
  /** Mempool entries of payments; unknown ones are missing. Never throws. */
  readonly readMempoolEntries?: (txids: readonly string[]) => Promise<ReadonlyMap<string, SourceMempoolEntry>>;
  /**
   * Reconciles the recipients within the transaction that changed the ledger; an error rolls both
   * back.
   */
  readonly onChanged: (tx: Tx, recipientIds: readonly string[], now: Date) => Promise<void>;
  /** Called once the ledger was current at `now`: orders due by then may expire. */
  readonly onReconciled: (now: Date) => Promise<void>;
}

/** The source is on another network or contradicts itself. Nothing was changed. */
export class ChainSyncError extends Error {
  override readonly name = 'ChainSyncError';
}

/** Another process committed first, or the chain moved while it was read. The pass restarts. */
class StaleViewError extends Error {}

const ATTEMPTS = 20;
/** Blocks to read again below the oldest stored block, in case a reorganization went unnoticed. */
const RESYNC_MARGIN = 144;
/** Maximum blocks per transaction while no watched script is affected. */
const MAX_BATCH_BLOCKS = 50;

export class ChainSync<Tx> {
  readonly #parts: ChainSyncOptions<Tx>;
  readonly #scripts: WatchedScripts;
  /** Mempool transactions read so far. Valid only while no other process moves the cursor. */
  #readTxids: Set<string> = new Set();
  #readAtRevision = -1;
  #isNetworkChecked = false;
  /** The newest block whose time was read. */
  #newest: ChainBlock | null = null;

  constructor(parts: ChainSyncOptions<Tx>) {
    this.#parts = parts;
    this.#scripts = new WatchedScripts(parts.store);
  }

  /**
   * Runs one pass: undoes blocks that left the best chain, applies new ones, compares the mempool,
   * then expires due orders. Each step is one transaction; errors of the source or the store are
   * thrown, and committed steps stay valid.
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
        if (attempt === ATTEMPTS) throw new ChainSyncError('the chain changed during every attempt');
        // Losing a race is progress if the cursor moved, so the attempts start again.
        const now = (await this.#parts.store.readCursor())?.revision ?? -1;
        if (now !== revision) attempt = 0;
        revision = now;
      }
    }
  }

  async #checkNetwork(): Promise<void> {
    const { source, store, network } = this.#parts;
    const genesis = await source.readBlockHash(0);
    if (genesis !== network.genesisHash) {
      throw new ChainSyncError(
        `the chain source is not on ${network.name}: its first block is ${genesis ?? 'missing'}`,
      );
    }
    const cursor = await store.readCursor();
    if (cursor !== null && cursor.network !== network.name) {
      throw new ChainSyncError(
        `the ledger of this database is on ${cursor.network}, the settings select ${network.name}`,
      );
    }
    this.#isNetworkChecked = true;
  }

  /** Applies blocks up to the source's tip. Returns the last committed cursor. */
  async #catchUp(): Promise<ChainCursor> {
    const { source, store } = this.#parts;
    let cursor = (await store.readCursor()) ?? (await this.#start());
    if (cursor.revision !== this.#readAtRevision) this.#readTxids.clear();
    for (;;) {
      const tip = await source.readTip();
      if (tip.hash === cursor.hash) return cursor;
      const fork = await this.#findFork(cursor, tip);
      // A switch to another network would otherwise count as a deep reorganization.
      if (fork < cursor.height) await this.#checkNetwork();
      cursor = await this.#take(cursor, fork, tip.height);
    }
  }

  /** Applies the source's blocks above the fork while prefetching the next ones. */
  async #take(from: ChainCursor, fork: number, tip: number): Promise<ChainCursor> {
    // A reorganization is applied in one transaction until the new branch is as long as the old
    // one, so no intermediate state is visible.
    const branch = Math.max(fork, Math.min(tip, from.height + 1));
    if (branch === from.height && fork === branch) throw new StaleViewError();
    const prefetcher = new BlockPrefetcher(this.#parts.source, tip);
    try {
      let cursor = fork < from.height ? await this.#apply(from, fork, branch, prefetcher) : from;
      while (cursor.height < tip)
        cursor = await this.#apply(cursor, cursor.height, await this.#chooseTarget(cursor, tip), prefetcher);
      return cursor;
    } finally {
      await prefetcher.drain();
    }
  }

  /**
   * One block per transaction, so that each payment state is recorded; many while no order depends
   * on depth.
   */
  async #chooseTarget({ height }: ChainCursor, tip: number): Promise<number> {
    const isQuiet = tip > height + 1 && (await this.#parts.store.isQuietAbove(height - RECONCILE_DEPTH));
    return isQuiet ? Math.min(tip, height + MAX_BATCH_BLOCKS) : height + 1;
  }

  /** Height of the newest block that the ledger and the source share. */
  async #findFork(cursor: ChainCursor, tip: { readonly height: number; readonly hash: string }): Promise<number> {
    const { source, store } = this.#parts;
    // Also applies below the stored blocks: a reorganization never makes the chain a thousand
    // blocks shorter.
    if (tip.height < cursor.height && [tip.hash, null].includes(await store.findHashAt(tip.height))) {
      throw new ChainSyncError(`the chain source is behind: at block ${tip.height}, the ledger at ${cursor.height}`);
    }
    let height = Math.min(cursor.height, tip.height);
    for (;;) {
      const ours = await store.findHashAt(height);
      // Below the stored blocks, read a stretch again. Outputs are unique by outpoint, so none
      // counts twice.
      if (ours === null) return Math.max(0, height - RESYNC_MARGIN);
      if (ours === (await source.readBlockHash(height))) return height;
      if (height === 0) throw new ChainSyncError('the chain source changed its first block');
      height -= 1;
    }
  }

  /**
   * Replaces the stored blocks above `fork` by the source's up to `goal`, in one transaction.
   * Without a reorganization it stops at the first block that affects a watched script.
   */
  async #apply(cursor: ChainCursor, fork: number, goal: number, prefetcher: BlockPrefetcher): Promise<ChainCursor> {
    const { store, clock } = this.#parts;
    // Includes payments that left: a confirmed conflict rules out their return.
    const open = [...(await store.listPendingAbove(fork)), ...(await store.listLeftAbove(fork))];
    const spentOutpoints = indexSpentOutpoints(open, this.#parts.reader.readSpending);
    const known = await store.findHashAt(fork);
    const base = known === null ? await this.#readBlockAt(fork) : null;
    const scanned: ScannedBlock[] = [];
    let previous = known ?? base?.hash;
    for (let next = fork + 1, last = goal; next <= last;) {
      const read = await prefetcher.take(next, last);
      if (read === null) throw new StaleViewError();
      // Load after reading the blocks: a script they pay was committed before.
      await this.#scripts.load();
      for (const { height, hash, raw } of read) {
        const block = this.#scan(raw, hash, height, spentOutpoints);
        if (block.prevHash !== previous) throw new StaleViewError();
        scanned.push(block);
        previous = hash;
        next = height + 1;
        if (fork === cursor.height && (block.outputs.length > 0 || block.replaced.length > 0)) last = height;
        if (height === last) break;
      }
      prefetcher.release(next - 1);
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
    spentOutpoints: SpentOutpoints,
  ): ScannedBlock & { readonly prevHash: string } {
    const { reader } = this.#parts;
    const read = reader.readBlock(raw, this.#scripts.recipients);
    if (read.hash !== hash)
      throw new WrongBlockError(`the chain source returned block ${read.hash} instead of ${hash}`);
    const conflicts =
      spentOutpoints.size === 0 ? [] : [...findConflicts(spentOutpoints, reader.listSpendings(raw, spentOutpoints))];
    const replaced = conflicts.map(([txid, by]) => ({ txid, by }));
    return { block: { height, hash, time: read.time }, outputs: read.outputs, replaced, prevHash: read.prevHash };
  }

  /**
   * Compares the whole mempool with the ledger. Returns the shop's time before the request:
   * everything in the mempool at that time is in the ledger now.
   */
  async #reconcile(cursor: ChainCursor): Promise<Date> {
    const { source, store, clock, reader, readMempoolEntries = async () => new Map() } = this.#parts;
    await this.#scripts.load();
    const requestedAt = clock.now();
    const pending = await store.listPendingAbove(cursor.height);
    const { arrived, left, readTxids } = await compareMempool({
      source,
      reader,
      pending,
      readTxids: this.#readTxids,
      readMempoolEntries,
      requestedAt,
      reconciledAt: cursor.reconciledAt,
      listScriptsToLookUp: () => this.#listScriptsToLookUp(pending),
      loadAllScripts: () => this.#scripts.load().then(() => this.#scripts.recipients),
    });
    // A block found in between removes transactions from the mempool without them leaving.
    if ((await source.readTip()).hash !== cursor.hash) throw new StaleViewError();

    const now = clock.now();
    const to = { ...cursor, reconciledAt: requestedAt };
    await this.#commit(cursor, to, now, async (ledger) => {
      const leavers = left.length === 0 ? [] : await ledger.markLeft(left, now);
      const arrivers = arrived.length === 0 ? [] : await ledger.addMempoolOutputs(arrived, requestedAt);
      return new Set([...leavers, ...arrivers]);
    });
    this.#readTxids = readTxids;
    return requestedAt;
  }

  /** Scripts of recipients that expect a payment or have an unconfirmed one. */
  async #listScriptsToLookUp(pending: readonly PendingTransaction[]): Promise<readonly Uint8Array[]> {
    const { listWaitingRecipients, reader } = this.#parts;
    const paid = pending.flatMap(({ rawTx }) => reader.readTransaction(rawTx, this.#scripts.recipients).outputs);
    return this.#scripts.listScripts(
      new Set([...(await listWaitingRecipients()), ...paid.map(({ recipientId }) => recipientId)]),
    );
  }

  /** Throws if the source is stale, so that no order expires. */
  async #checkBlockAge({ height, hash }: ChainCursor): Promise<void> {
    const { maxBlockAgeMs, clock } = this.#parts;
    if (maxBlockAgeMs === null) return;
    if (this.#newest?.hash !== hash) this.#newest = await this.#readBlockAt(height);
    const { time } = this.#newest;
    if (clock.now().getTime() - time.getTime() <= maxBlockAgeMs) return;
    throw new ChainSyncError(`the chain source has no block since ${time.toISOString()}: it may have lost the network`);
  }

  /** Moves the cursor, writes and reconciles, all in one transaction. */
  async #commit(
    cursor: ChainCursor,
    to: { height: number; hash: string; reconciledAt?: Date },
    now: Date,
    write: (ledger: LedgerTransaction) => Promise<ReadonlySet<string>>,
  ): Promise<ChainCursor> {
    await this.#parts.store.runTransaction(async (ledger, tx) => {
      if (!(await ledger.moveCursor(cursor.revision, to))) throw new StaleViewError();
      const touched = await write(ledger);
      // Sorted: a fixed lock order prevents deadlocks.
      if (touched.size > 0) await this.#parts.onChanged(tx, [...touched].toSorted(), now);
    });
    this.#readAtRevision = cursor.revision + 1;
    return { ...cursor, ...to, revision: cursor.revision + 1 };
  }

  async #readBlockAt(height: number): Promise<ChainBlock> {
    const block = await readBlockAt(this.#parts.source, this.#parts.reader, height);
    if (block === null) throw new StaleViewError();
    return block;
  }

  async #start(): Promise<ChainCursor> {
    const { source, store, reader, network } = this.#parts;
    const block = await findStart(source, reader, await store.findOldestIssue());
    const isFirst = block !== null && (await store.runTransaction((ledger) => ledger.start(network.name, block)));
    const cursor = isFirst ? await store.readCursor() : null;
    if (cursor === null) throw new StaleViewError();
    return cursor;
  }
}
