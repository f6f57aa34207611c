/** The newest price of each exchange, and the rate on which enough of them agree. */
import type { Log } from '#src/platform/process/log.ts';
import { combineQuotes, MAX_QUOTE_AGE_MS } from './combine-quotes.ts';
import type { CombinedRate, ExchangeQuote } from './combine-quotes.ts';
import { exchanges } from './exchanges.ts';
import type { ExchangeName, RateUrls, Ticker } from './exchanges.ts';
import { BadStatusError } from './fetch-text.ts';
import type { fetchText } from './fetch-text.ts';
import { computeAge } from './moment.ts';
import type { Moment } from './moment.ts';
import type { ComputedRate } from './store.ts';

const INTERVAL_MS = 30_000;
/** Maximum interval for an exchange that keeps failing. */
const MAX_INTERVAL_MS = 240_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
const JITTER = 0.2;
const TIMEOUT_MS = 4000;
const MAX_BYTES = 65_536;

export interface ExchangeTickersOptions {
  readonly urls: RateUrls;
  /** The clock of the shop, for stored times. */
  readonly now: () => Date;
  readonly log: Log;
  readonly fetch: typeof fetchText;
  readonly moment: () => Moment;
  /** From 0 to below 1. */
  readonly random: () => number;
}

interface ReceivedTicker {
  readonly ticker: Ticker;
  readonly moment: Moment;
}

/** Reason for a missing price, without any text of the exchange. */
function formatReason(error: unknown): string {
  if (error instanceof BadStatusError) return error.message;
  if (error instanceof RangeError) return 'response too long';
  return error instanceof Error && error.name === 'TimeoutError' ? 'no response in time' : 'no response';
}

export class ExchangeTickers {
  readonly #options: ExchangeTickersOptions;
  readonly #tickers = new Map<ExchangeName, ReceivedTicker>();
  /** Consecutive failures, and the last logged reason. */
  readonly #failures = new Map<ExchangeName, number>();
  readonly #loggedFailures = new Map<string, string>();
  #hasNew = false;

  constructor(options: ExchangeTickersOptions) {
    this.#options = options;
  }

  /** Requests the price of one exchange. Returns the delay in ms before the next request. */
  async fetchTicker(name: ExchangeName, signal: AbortSignal): Promise<number> {
    const { fetch, log, moment, random, urls } = this.#options;
    const jitter = 1 - JITTER + 2 * JITTER * random();
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
    let fault: string;
    let retryAfterMs = 0;
    try {
      const ticker = exchanges[name].read(await fetch(urls.get(name) ?? exchanges[name].url, limits));
      if (ticker !== null) {
        this.#tickers.set(name, { ticker, moment: moment() });
        this.#failures.delete(name);
        this.#hasNew = true;
        return INTERVAL_MS * jitter;
      }
      fault = 'unexpected response format';
    } catch (error) {
      fault = formatReason(error);
      if (error instanceof BadStatusError) retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000;
    }
    if (signal.aborted) return 0;
    const failures = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, failures);
    if (this.#isNewFailure(name, fault)) log.warn({ exchange: name, fault }, 'an exchange returned no usable price');
    const pause = Math.min(INTERVAL_MS * 2 ** Math.min(failures - 1, 5), MAX_INTERVAL_MS);
    return Math.max(pause * jitter, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
  }

  /** The rate of the present prices. Null without a new price, or if too few exchanges agree. */
  computeRate(): ComputedRate | null {
    if (!this.#hasNew) return null;
    this.#hasNew = false;
    const { log, moment, now } = this.#options;
    const present = moment();
    // The reason is logged already.
    for (const [name, { moment: then }] of this.#tickers)
      if (computeAge(then, present) > MAX_QUOTE_AGE_MS) this.#tickers.delete(name);
    const tickers = [...this.#tickers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const quotes = tickers.map(([source, { ticker, moment: then }]): ExchangeQuote => {
      const { bidCents, askCents, statedAt } = ticker;
      const ageMs = computeAge(then, present);
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
    return medianCents === null ? null : { medianCents, at: now(), ...toEvidence(quotes, combined) };
  }

  #isNewFailure(source: string, fault: string): boolean {
    const isNew = this.#loggedFailures.get(source) !== fault;
    this.#loggedFailures.set(source, fault);
    return isNew;
  }
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
