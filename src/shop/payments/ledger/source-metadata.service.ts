/** Fees and arrival times from the chain source. Optional: the ledger does not depend on them. */
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { SourceMempoolEntry } from './first-seen.ts';
import * as fees from './fees.store.ts';

export interface SourceMetadataOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: Pick<ChainSource, 'readMempoolEntries' | 'readTime' | 'estimateFeeRate'>;
}

/** Interval between fee requests in ms of real time; public servers are shared. */
const REFRESH_MS = 10 * 60_000;
/** Blocks in a day. */
const DAY_BLOCKS = 144;
/** Maximum number of payments per fee refresh, newest first. */
const MAX_PAYMENTS = 100;
/** Smaller clock differences are within the response time. */
const MIN_OFFSET_MS = 1_500;
const CLOCK_WARNING_MS = 60_000;

export class SourceMetadata {
  readonly #options: SourceMetadataOptions;
  #refreshedAt = -Infinity;
  #isOff = false;
  #failure = '';

  constructor(options: SourceMetadataOptions) {
    this.#options = options;
  }

  /**
   * Mempool entries of these payments, with times by the shop's clock. Unknown ones are missing.
   * Never throws.
   */
  async readMempoolEntries(txids: readonly string[]): Promise<ReadonlyMap<string, SourceMempoolEntry>> {
    if (txids.length === 0) return new Map();
    const entries = await this.#try(() => this.#options.source.readMempoolEntries(txids));
    if (entries === null) return new Map();
    const offsetMs = (await this.#readOffset()) ?? 0;
    return new Map(
      [...entries].map(([txid, { arrivedAt, feePerKvb }]) => {
        const at = arrivedAt && new Date(arrivedAt.getTime() - offsetMs);
        return [txid, { arrivedAt: at, feePerKvb }];
      }),
    );
  }

  /**
   * Refreshes the fee estimate, the fees of unconfirmed payments, and the clock offset of the
   * source.
   */
  async refresh(): Promise<void> {
    if (performance.now() - this.#refreshedAt < REFRESH_MS) return;
    this.#refreshedAt = performance.now();
    const { db, source } = this.#options;
    await this.#try(async () => {
      const rate = await source.estimateFeeRate(DAY_BLOCKS);
      // In transactions, which check that this process is still the leader.
      if (rate !== null) await transact(db, (tx) => fees.writeDayFee(tx, BigInt(Math.ceil(rate * 1000))));
      const waiting = await fees.listWaitingTxids(db, MAX_PAYMENTS);
      if (waiting.length > 0) {
        const entries = await source.readMempoolEntries(waiting);
        await transact(db, (tx) => fees.writeFees(tx, entries));
      }
      await this.#readOffset();
    });
  }

  /** How far the source's clock is ahead of the shop's; logged if large. */
  async #readOffset(): Promise<number | null> {
    const { clock, log, source } = this.#options;
    const requestedAt = clock.now();
    const time = await this.#try(() => source.readTime());
    if (time === null) return null;
    // The response was created between the two times.
    const now = (requestedAt.getTime() + clock.now().getTime()) / 2;
    const offsetMs = time.getTime() - now;
    const isOff = Math.abs(offsetMs) >= CLOCK_WARNING_MS;
    if (isOff && !this.#isOff) {
      log.warn(
        { seconds: Math.round(offsetMs / 1000) },
        'the clock of the chain source and the shop’s differ; arrival times are corrected by the difference',
      );
    }
    this.#isOff = isOff;
    return Math.abs(offsetMs) < MIN_OFFSET_MS ? 0 : offsetMs;
  }

  async #try<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      const result = await request();
      this.#failure = '';
      return result;
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      if (error.message !== this.#failure) {
        this.#options.log.warn({ reason: error.message }, 'the chain source reports no fees or arrival times');
      }
      this.#failure = error.message;
      return null;
    }
  }
}
