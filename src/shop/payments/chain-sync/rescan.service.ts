/**
 * Rescans: staff request that past blocks are read again to find missing payments; the process with
 * the leader lock reads them.
 */
import { v7 as uuidv7 } from 'uuid';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { ChainReader } from './block-source.ts';
import type { ChainBlock, ChainCursor, FoundOutput, LedgerStore } from '../ledger/ledger-store.ts';
import * as store from './rescans.store.ts';
import type { Rescan } from './rescans.store.ts';
import { WatchedScripts } from './watched-scripts.ts';

export interface RescansOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: Pick<ChainSource, 'readBlockHash' | 'readRawBlock' | 'findOldestBlock'>;
  readonly ledger: LedgerStore<Db>;
  readonly reader: Pick<ChainReader, 'readBlock'>;
  /** Reconciles the found payments within the transaction that records them, as chain sync does. */
  readonly onChanged: (tx: Db, recipientIds: readonly string[]) => Promise<void>;
}

export type RescanRequestResult =
  | { readonly ok: true; readonly rescan: Rescan }
  | { readonly ok: false; readonly reason: 'above-tip' | 'too-long' | 'rescan-open' };

/** About one year of blocks. */
export const MAX_BLOCKS = 52_560;
const BLOCKS_AT_ONCE = 8;
/** Maximum duration of a step; new blocks and the mempool are synced between steps. */
const STEP_MS = 1_500;
const LISTED = 10;

interface ReadBlock {
  readonly block: ChainBlock;
  readonly outputs: readonly FoundOutput[];
}

export class Rescans {
  readonly #options: RescansOptions;
  readonly #scripts: WatchedScripts;

  constructor(options: RescansOptions) {
    this.#options = options;
    this.#scripts = new WatchedScripts(options.ledger);
  }

  /**
   * Requests a rescan from a height to the newest block. Returns the open rescan if there is one.
   */
  async request(fromHeight: number, by: StaffActor): Promise<RescanRequestResult> {
    const { clock, db, ledger } = this.#options;
    const cursor = await ledger.readCursor();
    if (cursor === null || fromHeight > cursor.height) return { ok: false, reason: 'above-tip' };
    if (cursor.height - fromHeight >= MAX_BLOCKS) return { ok: false, reason: 'too-long' };
    const id = uuidv7();
    const request = { id, from: fromHeight, to: cursor.height, by: by.userId, at: clock.now() };
    const isNew = await transact(db, async (tx) => {
      if (!(await store.insertRescan(tx, request))) return false;
      await recordChange(tx, {
        at: request.at,
        by,
        action: 'chain.rescan_requested',
        subject: { kind: 'chain', id },
        before: null,
        after: { from_height: request.from, to_height: request.to },
      });
      return true;
    });
    const rescan = isNew ? await store.findRescan(db, id) : await store.findOpenRescan(db);
    if (rescan === null || (!isNew && rescan.from_height !== fromHeight)) return { ok: false, reason: 'rescan-open' };
    return { ok: true, rescan };
  }

  /** Newest first. */
  list(): Promise<Rescan[]> {
    return store.listRescans(this.#options.db, LISTED);
  }

  /** Stops an open rescan; recorded payments remain. Idempotent. Null if the id is unknown. */
  async stop(id: string, by: StaffActor): Promise<Rescan | null> {
    const { clock, db } = this.#options;
    await transact(db, async (tx) => {
      const at = clock.now();
      if (!(await store.stopRescan(tx, id, at))) return;
      await recordChange(tx, {
        at,
        by,
        action: 'chain.rescan_stopped',
        subject: { kind: 'chain', id },
        before: { state: 'open' },
        after: { state: 'stopped' },
      });
    });
    return store.findRescan(db, id);
  }

  /**
   * Continues the open rescan for one step; true if more is left. Called by the process with the
   * leader lock.
   */
  async step(): Promise<boolean> {
    const { db, log } = this.#options;
    const end = performance.now() + STEP_MS;
    for (;;) {
      const rescan = await store.findOpenRescan(db);
      if (rescan === null) return false;
      try {
        if (!(await this.#readSome(rescan))) return false;
      } catch (error) {
        if (!(error instanceof ChainSourceError)) throw error;
        if (rescan.problem !== error.message) log.warn({ reason: error.message }, 'a rescan is interrupted');
        const { message } = error;
        await transact(db, (tx) => store.writeProblem(tx, rescan.id, message));
        return false;
      }
      if (performance.now() > end) return true;
    }
  }

  /** False if the ledger changed during the read; chain sync runs first. */
  async #readSome(rescan: Rescan): Promise<boolean> {
    const { ledger, source } = this.#options;
    const cursor = await ledger.readCursor();
    if (cursor === null) return false;
    const oldest = await source.findOldestBlock();
    const first = Math.min(Math.max(rescan.next_height, oldest), rescan.to_height + 1);
    const last = Math.min(rescan.to_height, cursor.height, first + BLOCKS_AT_ONCE - 1);
    // After a reorganization the chain may be shorter: no blocks remain above it.
    const next = first > cursor.height ? rescan.to_height + 1 : last + 1;
    await this.#scripts.load();
    const heights = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    const blocks = await Promise.all(heights.map((height) => this.#read(height)));
    if (blocks.includes(null)) return false;
    const read = blocks.flatMap((block) => block ?? []);
    const unreadUntil = first > rescan.next_height ? first - 1 : null;
    return this.#record(rescan, cursor, read, { next: Math.max(next, first), unreadUntil });
  }

  /** A block of the best chain; null if the stored block at that height differs. */
  async #read(height: number): Promise<ReadBlock | null> {
    const { ledger, reader, source } = this.#options;
    const [hash, ours] = [await source.readBlockHash(height), await ledger.findHashAt(height)];
    if (hash === null || (ours !== null && ours !== hash)) return null;
    const read = reader.readBlock(await source.readRawBlock(hash), this.#scripts.recipients);
    if (read.hash !== hash)
      throw new ChainSourceError(`the chain source returned block ${read.hash} instead of ${hash}`);
    return { block: { height, hash, time: read.time }, outputs: read.outputs };
  }

  /** Records missing payments and the progress of the rescan in one transaction. */
  #record(
    rescan: Rescan,
    cursor: ChainCursor,
    blocks: readonly ReadBlock[],
    progress: Pick<store.RescanProgress, 'next' | 'unreadUntil'>,
  ): Promise<boolean> {
    const { clock, ledger, onChanged } = this.#options;
    return ledger.runTransaction(async (writes, tx) => {
      if (!(await store.lockCursor(tx, cursor.revision))) return false;
      const now = clock.now();
      const touched = new Set<string>();
      let found = 0;
      for (const { block, outputs } of blocks) {
        const known = await store.findInBlocks(tx, outputs);
        const missing = outputs.filter(({ txid, vout }) => !known.has(`${txid}:${vout}`));
        if (missing.length === 0) continue;
        const firstSeen = block.time < now ? block.time : now;
        for (const recipientId of await writes.addBlockOutputs(missing, block, firstSeen)) touched.add(recipientId);
        found += (await store.findInBlocks(tx, missing)).size;
      }
      await store.advanceRescan(tx, rescan.id, { ...progress, found, at: now });
      if (progress.next > rescan.to_height) await store.incrementRevision(tx);
      if (touched.size > 0) await onChanged(tx, [...touched].toSorted());
      return true;
    });
  }
}
