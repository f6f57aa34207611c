/** Fetches the reference rates of the European Central Bank, in one process, while the setting asks for them. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { LeaderLockLostError, runWithFence } from '#src/platform/database/fence.ts';
import type { Fence } from '#src/platform/database/fence.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { BadStatusError, fetchText } from '#src/platform/rates/fetch-text.ts';
import {
  chooseFile,
  findWorkingDayBefore,
  isOutdated,
  scheduleFetch,
  scheduleRetry,
  toEcbDay,
} from './ecb-calendar.ts';
import { readEcbFile } from './ecb-file.ts';
import type { EcbDay, EcbFailure, EcbFile } from './ecb-file.ts';
import * as ecb from './ecb.store.ts';
import { lockSettings, readSettings } from './store.ts';

/** That of ninety days has about 90 KB. */
const MAX_BYTES = 500_000;
const FILES = { daily: 'eurofxref-daily.xml', history: 'eurofxref-hist-90d.xml' } as const;

export interface EcbRatesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the files are, without a trailing slash. */
  readonly url: string;
  /** Time limit of a request in ms. */
  readonly timeoutMs: number;
  /** Its fence is null in processes that are not the leader. Only the leader fetches. */
  readonly leader: { readonly fence: Fence | null };
  /** Called in a transaction after which waiting documents may be issued. */
  readonly wakeWaiting: (tx: Db) => Promise<void>;
  /** Called in a transaction that counts a failure. */
  readonly onFailed: (tx: Db) => void;
}

/** What a fetch starts from. */
interface DueFetch {
  readonly currency: string;
  readonly newestDay: string | null;
  readonly failures: number;
  /** Before the request: a file that lacks a day proves nothing of what was published during it. */
  readonly startedAt: Date;
}

/** The reason, without any text of the server. */
function toFailure(error: unknown): EcbFailure {
  if (error instanceof BadStatusError) return 'status';
  if (error instanceof RangeError) return 'too-long';
  if (!(error instanceof Error)) return 'unreachable';
  if ('code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'format';
  return error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
}

export class EcbRates {
  readonly #options: EcbRatesOptions;
  readonly #stopping = new AbortController();

  constructor(options: EcbRatesOptions) {
    this.#options = options;
  }

  /** Aborts a fetch in progress. Afterwards there is none. */
  stop(): void {
    this.#stopping.abort();
  }

  /** In the leader: fetches the file if it is due, and stores its rates. A failure is recorded and retried later. */
  async fetchDue(): Promise<void> {
    const { fence } = this.#options.leader;
    if (fence === null || this.#stopping.signal.aborted) return;
    const due = await this.#findDue();
    if (due === null) return;
    const file = await this.#fetch(due);
    if (this.#stopping.signal.aborted) return;
    try {
      await runWithFence(fence, () => (file.ok ? this.#store(due, file.days) : this.#fail(due, file.failure)));
    } catch (error) {
      // The new leader fetches it.
      if (!(error instanceof LeaderLockLostError)) throw error;
    }
  }

  async #findDue(): Promise<DueFetch | null> {
    const { clock, db } = this.#options;
    const { currency, rates_from: from } = await readSettings(db);
    if (currency === '' || from !== 'ecb') return null;
    const { failures, nextAt } = await ecb.readFetches(db);
    if (nextAt !== null && nextAt > clock.now()) return null;
    return { currency, failures, startedAt: clock.now(), newestDay: await ecb.findNewestDay(db, currency) };
  }

  async #fetch({ currency, newestDay }: DueFetch): Promise<EcbFile> {
    const kind = chooseFile(newestDay, this.#options.clock.now());
    const file = await this.#read(kind, currency);
    if (kind === 'history' || !file.ok || newestDay === null) return file;
    // The file of the last day may leave out days that were missed before it.
    const isNext = file.days.every(({ day }) => findWorkingDayBefore(day) <= newestDay);
    return isNext ? file : this.#read('history', currency);
  }

  /** Never throws. */
  async #read(kind: keyof typeof FILES, currency: string): Promise<EcbFile> {
    const { clock, log, timeoutMs, url } = this.#options;
    const limits = {
      timeoutMs,
      maxBytes: MAX_BYTES,
      signal: this.#stopping.signal,
      accept: 'application/xml, text/xml',
    };
    try {
      const text = await fetchText(`${url}/${FILES[kind]}`, limits);
      const needed = currency === 'EUR' ? ['USD'] : ['USD', currency];
      const file = readEcbFile(text, needed, toEcbDay(clock.now()));
      return file.ok && isOutdated(file.days[0]?.day ?? '', clock.now()) ? { ok: false, failure: 'outdated' } : file;
    } catch (error) {
      if (error instanceof BadStatusError) log.debug({ file: FILES[kind], status: error.status }, 'no file of rates');
      return { ok: false, failure: toFailure(error) };
    }
  }

  #store(due: DueFetch, days: readonly EcbDay[]): Promise<void> {
    const { failures, newestDay, startedAt } = due;
    const { clock, db, log, wakeWaiting } = this.#options;
    const now = clock.now();
    const inFile = days[0]?.day ?? '';
    const newest = newestDay !== null && newestDay > inFile ? newestDay : inFile;
    return transact(db, async (tx) => {
      // Documents that start to wait take the same lock: none misses these rates.
      if (!(await this.#isStillWanted(tx, due))) return;
      const rates = await ecb.insertEcbRates(tx, days, now);
      await ecb.recordFetch(tx, startedAt, scheduleFetch(newest, now));
      await wakeWaiting(tx);
      if (rates > 0 || failures > 0) log.info({ day: newest, rates }, 'rates of the European Central Bank were stored');
    });
  }

  async #fail(due: DueFetch, failure: EcbFailure): Promise<void> {
    const { clock, db, log, onFailed } = this.#options;
    const failures = due.failures + 1;
    const next = scheduleRetry(failures, clock.now());
    log.warn({ failure, failures, next }, 'the rates of the European Central Bank are not usable');
    await transact(db, async (tx) => {
      if (!(await this.#isStillWanted(tx, due))) return;
      await ecb.recordFailure(tx, failures, failure, next);
      onFailed(tx);
    });
  }

  /** Whether the setting is the one that the fetch started with; otherwise it made another fetch due. Locks it. */
  async #isStillWanted(tx: Db, { currency }: DueFetch): Promise<boolean> {
    const settings = await lockSettings(tx);
    return settings.rates_from === 'ecb' && settings.currency === currency;
  }
}
