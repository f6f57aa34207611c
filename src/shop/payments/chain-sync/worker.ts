import { LeaderLockLostError, runWithFence } from '#src/platform/database/fence.ts';
import type { Fence } from '#src/platform/database/fence.ts';
import { LeaderLock } from '#src/platform/database/leader-lock.ts';
import type { LeaderLockOptions } from '#src/platform/database/leader-lock.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Payments } from '../service.ts';

export interface ChainSyncWorkerOptions {
  readonly payments: Pick<
    Payments,
    'sync' | 'observeSync' | 'checkSource' | 'onHint' | 'pollMs' | 'computeSyncDelayMs'
  > & {
    readonly rescans: Pick<Payments['rescans'], 'step'>;
  };
  readonly log: Log;
  /** For the connection that renews the watcher's lease. */
  readonly connection: LeaderLockOptions['connection'];
  /** How often it looks when nothing wakes it, in ms of real time; by default as the chain source has it. */
  readonly pollMs?: number;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const LOCK_NAME = 'chain-watcher';
/** How long a process that does not watch waits for the one that does. */
const ASK_TIMEOUT_MS = 20_000;
/** So long the start waits for the first pass; a long catch-up goes on beside the shop. */
const FIRST_SYNC_TIMEOUT_MS = 5_000;

/**
 * Keeps the ledger current: a pass every few seconds, and at once on a hint. Of all processes on a database one does it, by a
 * lease; what it writes after another process has taken over is refused.
 */
export class ChainSyncWorker {
  readonly #options: ChainSyncWorkerOptions;
  readonly #lease: LeaderLock;
  readonly #waiters: Waiter[] = [];
  #wake: (() => void) | null = null;
  #isWoken = false;
  #isStopping = false;
  #failures = 0;
  #loop: Promise<void> | null = null;
  #unsubscribe: () => void = () => {};

  constructor(options: ChainSyncWorkerOptions) {
    this.#options = options;
    const { connection, log } = options;
    this.#lease = new LeaderLock({ connection, role: LOCK_NAME, log, onChange: () => this.#wakeUp() });
  }

  /** Starts, and waits for the first pass to end, however it does; a long one goes on in the background. */
  async start(): Promise<void> {
    if (this.#loop !== null) return;
    this.#unsubscribe = this.#options.payments.onHint(() => this.#wakeUp());
    const first = this.#lease.start().then(() => this.#round());
    this.#loop = first.then(() => this.#run());
    await Promise.race([first, new Promise((resolve) => void setTimeout(resolve, FIRST_SYNC_TIMEOUT_MS).unref())]);
  }

  /** Looks at once. Resolves when a pass that began after this call has ended well, rejects when it failed. */
  wake(): Promise<void> {
    if (this.#isStopping || this.#loop === null) return Promise.reject(new Error('the watcher does not run'));
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#wakeUp();
    });
  }

  /** Ends after the pass that runs, and gives the lease up. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    this.#wakeUp();
    await this.#loop;
    for (const { reject } of this.#waiters.splice(0)) reject(new Error('the watcher was stopped'));
    await this.#lease.stop();
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
    const nudges = this.#waiters.splice(0);
    try {
      const { fence } = this.#lease;
      if (fence === null) {
        void this.#askLeader(nudges);
        await payments.observeSync();
      } else {
        await this.#sync(fence);
        for (const { resolve } of nudges) resolve();
        await this.#rescan(fence);
      }
      await payments.checkSource();
      if (this.#failures > 0) log.info({ failures: this.#failures }, 'the chain can be followed again');
      this.#failures = 0;
    } catch (error) {
      // The heartbeat notes the loss; until then nothing more is tried.
      if (error instanceof LeaderLockLostError) return void this.#askLeader(nudges);
      this.#failures += 1;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason, failures: this.#failures }, 'the chain could not be followed');
      for (const { reject } of nudges) reject(error);
    }
  }

  /** One pass, with the rounds that other processes have asked for until now. */
  async #sync(fence: Fence): Promise<void> {
    const asked = this.#lease.requestedRound;
    await runWithFence(fence, () => this.#options.payments.sync());
    if (asked !== null) await this.#lease.completeRound(asked);
  }

  /** Reads on in a rescan that staff asked for; then the newest blocks come first again. */
  async #rescan(fence: Fence): Promise<void> {
    if (await runWithFence(fence, () => this.#options.payments.rescans.step())) this.#isWoken = true;
  }

  /** Has the process that watches answer those who wait. */
  async #askLeader(nudges: readonly Waiter[]): Promise<void> {
    if (nudges.length === 0) return;
    try {
      await this.#lease.requestRound(ASK_TIMEOUT_MS);
      for (const { resolve } of nudges) resolve();
    } catch (error) {
      for (const { reject } of nudges) reject(error);
    }
  }

  async #sleep(): Promise<void> {
    if (this.#isWoken && this.#failures === 0) return;
    // While the source fails, hints do not hurry it; whoever waits for an answer does.
    const pollMs = this.#options.pollMs ?? this.#options.payments.pollMs;
    const pause = this.#options.payments.computeSyncDelayMs(pollMs, this.#failures);
    if (this.#waiters.length > 0 || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.#wake = () => {
        if (this.#failures > 0 && this.#waiters.length === 0 && !this.#isStopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
