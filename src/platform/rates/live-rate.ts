/** The present price of a bitcoin: the median of several exchanges, the same in all processes. */
import { randomInt } from 'node:crypto';
import { LeaderLockLostError, runWithFence } from '#src/platform/database/fence.ts';
import type { Fence } from '#src/platform/database/fence.ts';
import type { Log } from '#src/platform/process/log.ts';
import { selectShownRate } from './display-rate.ts';
import { ExchangeTickers } from './exchange-tickers.ts';
import type { ExchangeName, RateUrls } from './exchanges.ts';
import { fetchText } from './fetch-text.ts';
import { computeAge, readMoment } from './moment.ts';
import type { Moment } from './moment.ts';
import type { Rate, RateSourceWithState, RateState } from './rate-source.ts';
import type { RateStore, StoredRate } from './store.ts';

/** How long the last good rate counts as present, and how long it may be used. */
const CURRENT_FOR_MS = 120_000;
const USABLE_FOR_MS = 3_600_000;
/** How far the clock of the database may have been set back before an age is unknown. */
const MAX_CLOCK_SKEW_MS = 60_000;
/** In hundredths of a percent. */
const DELAYED_SPREAD = 100n;
const HUNDRED_PERCENT = 10_000n;

export interface LiveRateOptions {
  readonly urls: RateUrls;
  /** The clock of the shop, for stored times. */
  readonly now: () => Date;
  readonly log: Log;
  /** Hundredths of a percent that are deducted from the price of the exchanges. */
  readonly spread: bigint;
  /** Holds the rate of all processes, also over a restart. */
  readonly store: RateStore;
  /** Its fence is null in processes that are not the leader. Only the leader queries the exchanges. */
  readonly leader: { readonly fence: Fence | null; start(): Promise<void> };
  readonly fetch?: typeof fetchText;
  readonly moment?: () => Moment;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

interface UsableRate {
  readonly stored: StoredRate;
  /** When it was received. */
  readonly moment: Moment;
  readonly current: Rate;
  readonly delayed: Rate;
  /** What pages show while it is current. */
  readonly shown: Rate;
}

const pickRandomFraction = (): number => randomInt(1_000_000) / 1_000_000;

export class LiveRate implements RateSourceWithState {
  readonly #options: Required<LiveRateOptions>;
  readonly #timers = new Map<ExchangeName, NodeJS.Timeout>();
  #tickers: ExchangeTickers;
  /** While this process queries the exchanges. */
  #polling: AbortController | null = null;
  #firstRound: Promise<void> = Promise.resolve();
  #isFirstRound = false;
  #adopting: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isStoreFailing = false;
  #usableRate: UsableRate | null = null;
  #loggedState: RateState = 'current';

  /** The rate that pages show. */
  readonly display: RateSourceWithState = {
    getState: () => this.getState(),
    getCurrent: () => (this.getState() === 'current' ? (this.#usableRate?.shown ?? null) : this.getCurrent()),
  };

  constructor(options: LiveRateOptions) {
    this.#options = { fetch: fetchText, moment: readMoment, random: pickRandomFraction, ...options };
    this.#tickers = new ExchangeTickers(this.#options);
  }

  /**
   * Adopts the stored rate. In the leader, starts to poll the exchanges and resolves once each has
   * responded or timed out.
   */
  async start(): Promise<void> {
    await this.#options.leader.start();
    await this.refresh();
    await this.#firstRound;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopPolling();
  }

  /** Adopts what the leader has stored. Starts or stops the polling when this process becomes or ceases to be it. */
  async refresh(): Promise<void> {
    if (this.#options.leader.fence === null || this.#isStopped) this.#stopPolling();
    await this.#adoptStoredRate();
    if (this.#options.leader.fence === null || this.#isStopped || this.#polling !== null) return this.#logState();
    this.#polling = new AbortController();
    this.#tickers = new ExchangeTickers(this.#options);
    this.#firstRound = this.#startPolling(this.#polling.signal);
  }

  getCurrent(): Rate | null {
    const state = this.getState();
    return state === 'none' ? null : (this.#usableRate?.[state] ?? null);
  }

  getState(): RateState {
    const age = this.getAgeMs();
    if (age === null || age > USABLE_FOR_MS) return 'none';
    return age > CURRENT_FOR_MS ? 'delayed' : 'current';
  }

  /** Time since enough exchanges agreed on the last rate. Null if there was none. */
  getAgeMs(): number | null {
    return this.#usableRate && computeAge(this.#usableRate.moment, this.#options.moment());
  }

  async #startPolling(signal: AbortSignal): Promise<void> {
    const names = [...this.#options.urls.keys()];
    this.#isFirstRound = true;
    // Waits for all exchanges: the two fastest may be wrong.
    const pauses = await Promise.all(names.map((name) => this.#tickers.fetchTicker(name, signal)));
    this.#isFirstRound = false;
    if (!signal.aborted) await this.#publishRate();
    for (const [at, name] of names.entries()) this.#schedulePoll(name, pauses[at] ?? 0, signal);
  }

  #stopPolling(): void {
    this.#polling?.abort();
    this.#polling = null;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #schedulePoll(name: ExchangeName, pauseMs: number, signal: AbortSignal): void {
    if (signal.aborted) return;
    const pollAgain = async (): Promise<void> =>
      this.#schedulePoll(name, await this.pollExchange(name, signal), signal);
    this.#timers.set(name, setTimeout(() => void pollAgain(), pauseMs).unref());
  }

  /** Requests the price of one exchange. Returns the delay in ms before the next request. */
  async pollExchange(name: ExchangeName, signal = new AbortController().signal): Promise<number> {
    const pause = await this.#tickers.fetchTicker(name, signal);
    if (!signal.aborted) await this.#publishRate();
    return pause;
  }

  /** Stores the rate of new prices for all processes. Never throws. */
  async #publishRate(): Promise<void> {
    const { leader, log, store } = this.#options;
    const computed = this.#tickers.computeRate();
    const { fence } = leader;
    if (computed !== null && fence !== null) {
      try {
        const rate = { ...computed, ...selectShownRate(this.#usableRate?.stored ?? null, computed) };
        await runWithFence(fence, () => store.write(rate));
        await this.#adoptStoredRate();
      } catch (error) {
        // The new leader stores its own.
        if (!(error instanceof LeaderLockLostError)) log.warn({ err: error }, 'the rate could not be stored');
      }
    }
    this.#logState();
  }

  /** Adopts the stored rate. Reads are serialized, so that none adopts an earlier one after a later one. */
  #adoptStoredRate(): Promise<void> {
    this.#adopting = this.#adopting.then(() => this.#readStoredRate());
    return this.#adopting;
  }

  /** Never throws. */
  async #readStoredRate(): Promise<void> {
    const { log, moment, spread, store } = this.#options;
    let stored: StoredRate | null;
    try {
      stored = await store.read();
      this.#isStoreFailing = false;
    } catch (error) {
      if (!this.#isStoreFailing) log.warn({ err: error }, 'the stored rate could not be read');
      this.#isStoreFailing = true;
      return;
    }
    if (stored === null || stored.receivedAt.getTime() === this.#usableRate?.stored.receivedAt.getTime()) return;
    // After the clock of the database was set back, the age is unknown.
    if (stored.ageMs < -MAX_CLOCK_SKEW_MS) return;
    const ageMs = Math.max(0, stored.ageMs);
    const { monotonicMs, wallMs } = moment();
    const then = { monotonicMs: monotonicMs - ageMs, wallMs: wallMs - ageMs };
    this.#usableRate = toUsableRate(stored, then, spread);
  }

  #logState(): void {
    const state = this.getState();
    if (state === this.#loggedState || this.#isFirstRound) return;
    this.#loggedState = state;
    const { log } = this.#options;
    if (state === 'none') log.error({}, 'no bitcoin rate is available: checkout is closed');
    else if (state === 'delayed') log.warn({}, 'too few exchanges agree: the last rate is used with a wider spread');
    else log.info({}, 'the bitcoin rate is current');
  }
}

/** At least one cent, since a rate is positive. */
function subtractSpread(centsPerBtc: bigint, points: bigint): bigint {
  const less = (centsPerBtc * (HUNDRED_PERCENT - points)) / HUNDRED_PERCENT;
  return less > 0n ? less : 1n;
}

/** The rate, with a wider spread when it is old. Its evidence lets a reader recompute it. */
function toUsableRate(stored: StoredRate, moment: Moment, spread: bigint): UsableRate {
  const { quotes, dropped, at } = stored;
  const computeRateAt = (medianCents: bigint, points: bigint): Rate => {
    const centsPerBtc = subtractSpread(medianCents, points);
    const [cents_per_btc, median_cents] = [String(centsPerBtc), String(medianCents)];
    const evidence = { rule: 'median', cents_per_btc, median_cents, spread_bp: Number(points), quotes, dropped };
    return { centsPerBtc, at, evidence };
  };
  return {
    stored,
    moment,
    current: computeRateAt(stored.medianCents, spread),
    delayed: computeRateAt(stored.medianCents, spread + DELAYED_SPREAD),
    shown: { ...computeRateAt(stored.shownCents, spread), at: stored.shownAt },
  };
}
