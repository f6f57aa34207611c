import type { Log } from '#src/platform/process/log.ts';

export interface PollingWorkerOptions {
  /** Does the next piece of work, in a transaction of its own. Returns whether there may be more. */
  readonly runNext: () => Promise<boolean>;
  /** Pauses in ms of real time: when nothing is left, and after an error. */
  readonly pollMs: number;
  readonly pauseAfterErrorMs: number;
  readonly log: Log;
  /** Logged with an error. */
  readonly failure: string;
}

/** Polls for work in every process, one piece after the other. */
export class PollingWorker {
  readonly #options: PollingWorkerOptions;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: PollingWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Finishes the piece in progress first. */
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
    const { failure, log, pauseAfterErrorMs, pollMs, runNext } = this.#options;
    try {
      let hasMore = true;
      while (hasMore && !this.#isStopped) hasMore = await runNext();
      this.#schedule(pollMs);
    } catch (error) {
      log.warn({ err: error }, failure);
      this.#schedule(pauseAfterErrorMs);
    }
  }
}
