/** The present price of a bitcoin: the median of several exchanges. */
import { randomInt } from 'node:crypto';
import type { Log } from '#src/platform/process/log.ts';
import { combineQuotes, MAX_QUOTE_AGE_MS } from './combine-quotes.ts';
import type { CombinedRate, ExchangeQuote } from './combine-quotes.ts';
import { exchanges } from './exchanges.ts';
import type { ExchangeName, RateUrls, Ticker } from './exchanges.ts';
import { BadStatusError, fetchText } from './fetch-text.ts';
import type { Rate, RateState, RateSourceWithState } from './rate-source.ts';
import type { RateStore, StoredRate } from './store.ts';

const INTERVAL_MS = 30_000;
/** Maximum interval for an exchange that keeps failing. */
const MAX_INTERVAL_MS = 240_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
const JITTER = 0.2;
const TIMEOUT_MS = 4000;
const MAX_BYTES = 65_536;

/** How long the last good rate counts as present, and how long it may be used. */
const CURRENT_FOR_MS = 120_000;
const USABLE_FOR_MS = 3_600_000;
/** Maximum clock difference between two machines of one shop. */
const MAX_CLOCK_SKEW_MS = 60_000;
/** In hundredths of a percent. */
const DELAYED_SPREAD = 100n;
const HUNDRED_PERCENT = 10_000n;

/** Two clocks: the monotonic one stops during sleep, the wall clock may be set back. */
interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export interface LiveRateOptions {
  readonly urls: RateUrls;
  /** The clock of the shop, for stored times. */
  readonly now: () => Date;
  readonly log: Log;
  /** Hundredths of a percent that are deducted from the price of the exchanges. */
  readonly spread: bigint;
  /** Stores the last good rate for other processes and the next start. */
  readonly store?: RateStore;
  readonly fetch?: typeof fetchText;
  readonly moment?: () => Moment;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

interface ReceivedTicker {
  readonly ticker: Ticker;
  readonly moment: Moment;
}

interface UsableRate {
  /** Time of the newest price that it was computed from. */
  readonly moment: Moment;
  readonly current: Rate;
  readonly delayed: Rate;
}

const pickRandomFraction = (): number => randomInt(1_000_000) / 1_000_000;
const readMoment = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** Reason for a missing price, without any text of the exchange. */
function formatReason(error: unknown): string {
  if (error instanceof BadStatusError) return error.message;
  if (error instanceof RangeError) return 'response too long';
  return error instanceof Error && error.name === 'TimeoutError' ? 'no response in time' : 'no response';
}

export class LiveRate implements RateSourceWithState {
  readonly #options: Required<Omit<LiveRateOptions, 'store'>> & Pick<LiveRateOptions, 'store'>;
  readonly #tickers = new Map<ExchangeName, ReceivedTicker>();
  /** Consecutive failures, and the last logged reason. */
  readonly #failures = new Map<ExchangeName, number>();
  readonly #loggedFailures = new Map<string, string>();
  readonly #timers = new Map<ExchangeName, NodeJS.Timeout>();
  readonly #ending = new AbortController();
  #hasNewTickers = false;
  #usableRate: UsableRate | null = null;
  #loggedState: RateState = 'current';

  constructor(options: LiveRateOptions) {
    this.#options = { fetch: fetchText, moment: readMoment, random: pickRandomFraction, ...options };
  }

  /**
   * Adopts the stored rate and starts to poll every exchange. Resolves once each has responded or
   * timed out.
   */
  async start(): Promise<void> {
    await this.#adoptStoredRate();
    const names = [...this.#options.urls.keys()];
    // Waits for all exchanges: the two fastest may be wrong.
    const pauses = await Promise.all(names.map((name) => this.#fetchTicker(name)));
    await this.#combine();
    for (const [at, name] of names.entries()) this.#schedulePoll(pauses[at] ?? INTERVAL_MS, name);
  }

  stop(): void {
    this.#ending.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  getCurrent(): Rate | null {
    const state = this.getState();
    return state === 'none' ? null : (this.#usableRate?.[state] ?? null);
  }

  getState(): RateState {
    if (this.#usableRate === null) return 'none';
    const age = this.#computeAge(this.#usableRate.moment);
    if (age > USABLE_FOR_MS) return 'none';
    return age > CURRENT_FOR_MS ? 'delayed' : 'current';
  }

  #computeAge({ monotonicMs, wallMs }: Moment): number {
    const present = this.#options.moment();
    return Math.max(present.monotonicMs - monotonicMs, present.wallMs - wallMs);
  }

  #schedulePoll(pauseMs: number, name: ExchangeName): void {
    if (this.#ending.signal.aborted) return;
    const pollAgain = async (): Promise<void> => this.#schedulePoll(await this.pollExchange(name), name);
    this.#timers.set(name, setTimeout(() => void pollAgain(), pauseMs).unref());
  }

  /** Requests the price of one exchange. Returns the delay in ms before the next request. */
  async pollExchange(name: ExchangeName): Promise<number> {
    const pause = await this.#fetchTicker(name);
    await this.#combine();
    return pause;
  }

  async #fetchTicker(name: ExchangeName): Promise<number> {
    const { fetch, log, moment, random, urls } = this.#options;
    const jitter = 1 - JITTER + 2 * JITTER * random();
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal: this.#ending.signal };
    let fault: string;
    let retryAfterMs = 0;
    try {
      const ticker = exchanges[name].read(await fetch(urls.get(name) ?? exchanges[name].url, limits));
      if (ticker !== null) {
        this.#tickers.set(name, { ticker, moment: moment() });
        this.#failures.delete(name);
        this.#hasNewTickers = true;
        return INTERVAL_MS * jitter;
      }
      fault = 'unexpected response format';
    } catch (error) {
      fault = formatReason(error);
      if (error instanceof BadStatusError) retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000;
    }
    if (this.#ending.signal.aborted) return 0;
    const failures = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, failures);
    if (this.#isNewFailure(name, fault)) log.warn({ exchange: name, fault }, 'an exchange returned no usable price');
    const pause = Math.min(INTERVAL_MS * 2 ** Math.min(failures - 1, 5), MAX_INTERVAL_MS);
    return Math.max(pause * jitter, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
  }

  /** Computes the rate from new prices. Without any, adopts the stored rate of another process. */
  async #combine(): Promise<void> {
    const hasRate = this.#hasNewTickers && this.#computeRate();
    this.#hasNewTickers = false;
    if (!hasRate && this.getState() !== 'current') await this.#adoptStoredRate();
    this.#logState();
  }

  /** Adopts the stored rate if it is newer than this one and not too old. */
  async #adoptStoredRate(): Promise<void> {
    const { log, moment, store } = this.#options;
    const stored = await store?.read().catch((error: unknown) => {
      log.warn({ err: error }, 'the stored rate could not be read');
      return null;
    });
    if (!stored) return;
    const { monotonicMs, wallMs } = moment();
    const ageMs = wallMs - stored.receivedAt.getTime();
    // After the clock was set back, the age is unknown.
    if (ageMs < -MAX_CLOCK_SKEW_MS || ageMs > USABLE_FOR_MS) return;
    if (this.#usableRate !== null && this.#usableRate.moment.wallMs >= stored.receivedAt.getTime()) return;
    const then = { monotonicMs: monotonicMs - Math.max(0, ageMs), wallMs: stored.receivedAt.getTime() };
    this.#usableRate = toUsableRate(stored, then, this.#options.spread);
  }

  /** False if too few exchanges agree. */
  #computeRate(): boolean {
    const { log, moment, now, spread, store } = this.#options;
    // The reason is logged already.
    for (const [name, { moment: then }] of this.#tickers)
      if (this.#computeAge(then) > MAX_QUOTE_AGE_MS) this.#tickers.delete(name);
    const tickers = [...this.#tickers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const quotes = tickers.map(([source, { ticker, moment: then }]): ExchangeQuote => {
      const { bidCents, askCents, statedAt } = ticker;
      const ageMs = this.#computeAge(then);
      const statedAgeMs = statedAt && then.wallMs - statedAt.getTime() + ageMs;
      return { source, bidCents, askCents, ageMs, statedAgeMs };
    });
    const combined = combineQuotes(quotes);
    for (const { source, because } of combined.dropped) {
      if (this.#isNewFailure(source, because))
        log.warn({ exchange: source, fault: because }, 'the price of an exchange was rejected');
    }
    for (const source of combined.used) {
      if (this.#loggedFailures.delete(source)) log.info({ exchange: source }, 'the price of an exchange is used again');
    }
    const { centsPerBtc: medianCents } = combined;
    if (medianCents === null) return false;
    const then = moment();
    const rate = { medianCents, at: now(), receivedAt: new Date(then.wallMs), ...toEvidence(quotes, combined) };
    this.#usableRate = toUsableRate(rate, then, spread);
    // Callers do not wait for the write.
    void store?.write(rate).catch((error: unknown) => log.warn({ err: error }, 'the rate could not be stored'));
    return true;
  }

  #isNewFailure(source: string, fault: string): boolean {
    const isNew = this.#loggedFailures.get(source) !== fault;
    this.#loggedFailures.set(source, fault);
    return isNew;
  }

  #logState(): void {
    const state = this.getState();
    if (state === this.#loggedState) return;
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
function toUsableRate({ medianCents, quotes, dropped, at }: StoredRate, moment: Moment, spread: bigint): UsableRate {
  const computeRateAt = (points: bigint): Rate => {
    const centsPerBtc = subtractSpread(medianCents, points);
    const [cents_per_btc, median_cents] = [String(centsPerBtc), String(medianCents)];
    const evidence = { rule: 'median', cents_per_btc, median_cents, spread_bp: Number(points), quotes, dropped };
    return { centsPerBtc, at, evidence };
  };
  return { moment, current: computeRateAt(spread), delayed: computeRateAt(spread + DELAYED_SPREAD) };
}

/** The stored evidence of a rate. */
const toEvidence = (quotes: readonly ExchangeQuote[], { used, dropped }: CombinedRate) => ({
  quotes: quotes
    .filter(({ source }) => used.includes(source))
    .map(({ source, bidCents, askCents, ageMs }) => ({
      source,
      bid_cents: String(bidCents),
      ask_cents: String(askCents),
      age_ms: Math.round(ageMs),
    })),
  dropped,
});
