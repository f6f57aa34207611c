import { ExclusiveRole } from '#src/platform/database/exclusive-role.ts';
import type { Log } from '#src/platform/log.ts';
import type { Payments } from './service.ts';

export interface WatcherOptions {
  readonly payments: Pick<Payments, 'runPass' | 'observe' | 'onHint' | 'pollMs'>;
  readonly log: Log;
  /** For the connection that holds the watcher's role. */
  readonly connection: ConstructorParameters<typeof ExclusiveRole>[0]['connection'];
  /** How often it looks when nothing wakes it, in ms of real time; by default as the chain source has it. */
  readonly pollMs?: number;
}

interface Nudge {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const WATCHER_ROLE = 20_091_031;
const LONGEST_BACK_OFF_MS = 60_000;
/** So long the start waits for the first pass; a long catch-up goes on beside the shop. */
const START_PATIENCE_MS = 5_000;

/**
 * Keeps the ledger current: a pass every few seconds, and at once on a hint. Of all processes on a database one does it; a
 * second one would do no harm, since every commit is a compare-and-set.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #role: ExclusiveRole;
  readonly #nudges: Nudge[] = [];
  #wake: (() => void) | null = null;
  #isWoken = false;
  #isStopping = false;
  #failures = 0;
  #loop: Promise<void> | null = null;
  #unsubscribe: () => void = () => {};

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#role = new ExclusiveRole({ connection: options.connection, key: WATCHER_ROLE, log: options.log });
  }

  /** Starts, and waits for the first pass to end, however it does; a long one goes on in the background. */
  async start(): Promise<void> {
    if (this.#loop !== null) return;
    this.#unsubscribe = this.#options.payments.onHint(() => this.#wakeUp());
    const first = this.#round();
    this.#loop = first.then(() => this.#run());
    await Promise.race([first, new Promise((resolve) => void setTimeout(resolve, START_PATIENCE_MS).unref())]);
  }

  /** Looks at once. Resolves when a pass that began after this call has ended well, rejects when it failed. */
  nudge(): Promise<void> {
    if (this.#isStopping || this.#loop === null) return Promise.reject(new Error('the watcher does not run'));
    return new Promise((resolve, reject) => {
      this.#nudges.push({ resolve, reject });
      this.#wakeUp();
    });
  }

  /** Ends after the pass that runs, and gives the role up. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    this.#wakeUp();
    await this.#loop;
    for (const { reject } of this.#nudges.splice(0)) reject(new Error('the watcher was stopped'));
    await this.#role.release();
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      await this.#sleep();
      if (!this.#isStopping) await this.#round();
    }
  }

  /** Never throws: what failed is tried again, later each time. */
  async #round(): Promise<void> {
    const { payments, log } = this.#options;
    this.#isWoken = false;
    const nudges = this.#nudges.splice(0);
    try {
      const isWatcher = await this.#role.take();
      if (isWatcher || nudges.length > 0) await payments.runPass();
      else await payments.observe();
      if (this.#failures > 0) log.info({ failures: this.#failures }, 'the chain can be followed again');
      this.#failures = 0;
      for (const { resolve } of nudges) resolve();
    } catch (error) {
      this.#failures += 1;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason, failures: this.#failures }, 'the chain could not be followed');
      for (const { reject } of nudges) reject(error);
    }
  }

  async #sleep(): Promise<void> {
    if (this.#isWoken && this.#failures === 0) return;
    // While the source fails, hints do not hurry it; whoever waits for an answer does.
    const pollMs = this.#options.pollMs ?? this.#options.payments.pollMs;
    const pause = Math.min(pollMs * 2 ** Math.min(this.#failures, 5), LONGEST_BACK_OFF_MS);
    if (this.#nudges.length > 0 || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.#wake = () => {
        if (this.#failures > 0 && this.#nudges.length === 0 && !this.#isStopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
