import type { Log } from '#src/platform/process/log.ts';
import type { Promotions } from './service.ts';

const REFRESH_MS = 500;

/** Refreshes the uses of limited promotions in this process, so that all processes agree on them. */
export class PromotionUsesWorker {
  readonly #options: { readonly promotions: Pick<Promotions, 'refreshUses'>; readonly log: Log };
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFailing = false;

  constructor(options: { readonly promotions: Pick<Promotions, 'refreshUses'>; readonly log: Log }) {
    this.#options = options;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#refresh().finally(() => this.start());
    }, REFRESH_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  async #refresh(): Promise<void> {
    try {
      await this.#options.promotions.refreshUses();
      this.#isFailing = false;
    } catch (error) {
      // Once per outage: the next pass tries again.
      if (!this.#isFailing) this.#options.log.warn({ err: error }, 'the uses of promotions could not be read');
      this.#isFailing = true;
    }
  }
}
