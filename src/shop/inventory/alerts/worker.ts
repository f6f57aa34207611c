import type { Log } from '#src/platform/process/log.ts';
import type { StockAlerts } from './service.ts';

const POLL_MS = 5_000;
const PAUSE_AFTER_ERROR_MS = 30_000;

export interface StockAlertRelayOptions {
  readonly alerts: Pick<StockAlerts, 'relayNext'>;
  readonly log: Log;
  /** Polling interval in ms of real time. */
  readonly pollMs?: number;
}

/** Polls for variants that are back in stock, in every process. */
export class StockAlertRelay {
  readonly #options: StockAlertRelayOptions;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: StockAlertRelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Finishes the batch in progress first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(pauseMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#poll();
    }, pauseMs).unref();
  }

  async #poll(): Promise<void> {
    const { alerts, log, pollMs = POLL_MS } = this.#options;
    try {
      let hasMore = true;
      while (hasMore && !this.#isStopped) hasMore = await alerts.relayNext();
      this.#schedule(pollMs);
    } catch (error) {
      // Alerts that were not claimed are due at the next poll.
      log.warn({ err: error }, 'mails about stock could not be enqueued');
      this.#schedule(PAUSE_AFTER_ERROR_MS);
    }
  }
}
