import type { Log } from '#src/platform/process/log.ts';
import type { WebhookEvents } from '../events/service.ts';
import type { WebhookDeliveries } from './service.ts';

const POLL_MS = 500;
const PAUSE_AFTER_ERROR_MS = 5_000;
/** One request at a time per endpoint, and at most ten endpoints. */
const MAX_SENDING = 10;

export interface WebhookWorkerOptions {
  readonly webhookEvents: Pick<WebhookEvents, 'relayStockChanges'>;
  readonly webhookDeliveries: Pick<WebhookDeliveries, 'lease' | 'sendAll'>;
  readonly log: Log;
}

/** Sends webhooks, in every process. A slow receiver delays neither other receivers nor the next poll. */
export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #sending = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: WebhookWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Finishes the requests in progress first, up to a time. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#polling;
    // A request that takes longer is repeated by another process once its lease ends.
    await Promise.race([Promise.all(this.#sending), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
  }

  #schedule(pauseMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll();
    }, pauseMs).unref();
  }

  async #poll(): Promise<void> {
    const { log, webhookDeliveries, webhookEvents } = this.#options;
    try {
      let hasMore = true;
      while (hasMore && !this.#isStopped) hasMore = await webhookEvents.relayStockChanges();
      const free = MAX_SENDING - this.#sending.size;
      if (free > 0 && !this.#isStopped) {
        const { token, endpoints } = await webhookDeliveries.lease(free);
        for (const endpoint of endpoints) this.#send(endpoint, token);
      }
      this.#schedule(POLL_MS);
    } catch (error) {
      log.warn({ err: error }, 'webhooks could not be sent');
      this.#schedule(PAUSE_AFTER_ERROR_MS);
    }
  }

  #send(endpoint: Parameters<WebhookDeliveries['sendAll']>[0], token: string): void {
    const { log, webhookDeliveries } = this.#options;
    const sending = webhookDeliveries
      .sendAll(endpoint, token, () => this.#isStopped)
      .catch((error: unknown) => log.warn({ err: error, endpoint: endpoint.id }, 'a webhook could not be sent'))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }
}
