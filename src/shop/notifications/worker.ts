import type { Log } from '#src/platform/process/log.ts';
import type { Notifications } from './service.ts';

const POLL_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

export interface OutboxRelayOptions {
  readonly notifications: Pick<Notifications, 'relayNext'>;
  readonly log: Log;
  /** Polling interval in ms of real time. */
  readonly pollMs?: number;
}

/** Polls for undispatched order events, in every process. */
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

  /** Finishes the claimed events first. */
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
        // Unmarked events are claimed again.
        pauseMs = Math.min(pauseMs * 2, MAX_BACKOFF_MS);
        log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'order mails could not be enqueued',
        );
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
