import type { Log } from '#src/platform/process/log.ts';
import type { Invoices } from './service.ts';

const POLL_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 10_000;

export interface InvoiceWorkerOptions {
  readonly invoices: Pick<Invoices, 'issueNext'>;
  readonly log: Log;
}

/** Issues requested invoices and credit notes, in every process. */
export class InvoiceWorker {
  readonly #options: InvoiceWorkerOptions;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: InvoiceWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Finishes the document in progress first. */
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
    const { invoices, log } = this.#options;
    try {
      let hasMore = true;
      while (hasMore && !this.#isStopped) hasMore = await invoices.issueNext();
      this.#schedule(POLL_MS);
    } catch (error) {
      log.warn({ err: error }, 'invoices could not be issued');
      this.#schedule(PAUSE_AFTER_ERROR_MS);
    }
  }
}
