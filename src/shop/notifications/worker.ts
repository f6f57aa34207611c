import type { Log } from '#src/platform/process/log.ts';
import type { Notifications } from './service.ts';

const POLL_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

export interface OutboxRelayOptions {
  readonly notifications: Pick<Notifications, 'relayNext'>;
  readonly log: Log;
  /** How often it looks, in ms of real time. */
  readonly pollMs?: number;
}

/** Looks every second for events whose buyers are to be told, in every process. */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  #loop: Promise<void> | null = null;
  #isStopping = false;
  #wake: () => void = () => {};

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Ends after the events that it has in hand. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { notifications, log, pollMs = POLL_MS } = this.#options;
    let pauseMs = pollMs;
    while (!this.#isStopping) {
      try {
        const hasMore = await notifications.relayNext();
        pauseMs = pollMs;
        if (hasMore) continue;
      } catch (error) {
        // Nothing is lost: what was not marked is found again.
        pauseMs = Math.min(pauseMs * 2, MAX_BACKOFF_MS);
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'buyers could not be told yet');
      }
      await this.#sleep(pauseMs);
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
