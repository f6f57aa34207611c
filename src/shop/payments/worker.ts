import { LeaderLockLostError, runWithFence } from '#src/platform/database/fence.ts';
import type { Fence } from '#src/platform/database/fence.ts';
import type { LeaderLock } from '#src/platform/database/leader-lock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { noTelemetry } from '#src/platform/telemetry/telemetry.ts';
import type { Telemetry, Timer } from '#src/platform/telemetry/telemetry.ts';
import type { Payments } from './service.ts';

export interface ChainSyncWorkerOptions {
  readonly payments: Pick<
    Payments,
    'sync' | 'observeSync' | 'checkSource' | 'onHint' | 'pollMs' | 'computeSyncDelayMs'
  > & {
    readonly rescans: Pick<Payments['rescans'], 'step'>;
  };
  readonly log: Log;
  /** Started and stopped with the worker. */
  readonly leaderLock: LeaderLock;
  /** Interval between passes in ms of real time; defaults to the chain source's. */
  readonly pollMs?: number;
  readonly telemetry?: Pick<Telemetry, 'createTimer'>;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How long a process without the leader lock waits for the leader. */
const LEADER_TIMEOUT_MS = 20_000;
/** How long startup waits for the first sync; a longer one continues in the background. */
const FIRST_SYNC_TIMEOUT_MS = 5_000;

/**
 * Runs chain sync every few seconds and on hints. One process does this under a leader lock; writes
 * of a former leader are rejected by its fencing token.
 */
export class ChainSyncWorker {
  readonly #options: ChainSyncWorkerOptions;
  readonly #leaderLock: LeaderLock;
  readonly #time: Timer;
  readonly #waiters: Waiter[] = [];
  #wake: (() => void) | null = null;
  #isWoken = false;
  #isStopping = false;
  #failures = 0;
  #loop: Promise<void> | null = null;
  #unsubscribe: () => void = () => {};

  constructor(options: ChainSyncWorkerOptions) {
    this.#options = options;
    const { leaderLock, telemetry = noTelemetry } = options;
    this.#time = telemetry.createTimer({
      name: 'shop_chain_pass_duration_seconds',
      help: 'Duration of passes of chain sync, in the process that leads',
      label: 'step',
      span: 'chain',
    });
    this.#leaderLock = leaderLock;
    this.#leaderLock.onChange(() => this.#wakeUp());
  }

  /** Starts and waits until the first pass ends or the time limit is reached. */
  async start(): Promise<void> {
    if (this.#loop !== null) return;
    this.#unsubscribe = this.#options.payments.onHint(() => this.#wakeUp());
    const first = this.#leaderLock.start().then(() => this.#runPass());
    this.#loop = first.then(() => this.#run());
    await Promise.race([first, new Promise((resolve) => void setTimeout(resolve, FIRST_SYNC_TIMEOUT_MS).unref())]);
  }

  /**
   * Starts a pass. Resolves when a pass that began after this call succeeds, rejects when it fails.
   */
  wake(): Promise<void> {
    if (this.#isStopping || this.#loop === null) return Promise.reject(new Error('chain sync is not running'));
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#wakeUp();
    });
  }

  /** Stops after the current pass and releases the leader lock. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    this.#wakeUp();
    await this.#loop;
    for (const { reject } of this.#waiters.splice(0)) reject(new Error('chain sync was stopped'));
    await this.#leaderLock.stop();
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      await this.#sleep();
      if (!this.#isStopping) await this.#runPass();
    }
  }

  /** Never throws: failures are retried with growing delays. */
  async #runPass(): Promise<void> {
    const { payments, log } = this.#options;
    this.#isWoken = false;
    const waiters = this.#waiters.splice(0);
    try {
      const { fence } = this.#leaderLock;
      if (fence === null) {
        void this.#requestFromLeader(waiters);
        await payments.observeSync();
      } else {
        await this.#sync(fence);
        for (const { resolve } of waiters) resolve();
        await this.#rescan(fence);
      }
      await payments.checkSource();
      if (this.#failures > 0) log.info({ failures: this.#failures }, 'chain sync works again');
      this.#failures = 0;
    } catch (error) {
      // The heartbeat detects the loss of the lock; do nothing until then.
      if (error instanceof LeaderLockLostError) return void this.#requestFromLeader(waiters);
      this.#failures += 1;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason, failures: this.#failures }, 'chain sync failed');
      for (const { reject } of waiters) reject(error);
    }
  }

  /** One pass; also fulfils the sync requests of other processes so far. */
  async #sync(fence: Fence): Promise<void> {
    const pass = this.#leaderLock.requestedPass;
    await this.#time('sync', () => runWithFence(fence, () => this.#options.payments.sync()));
    if (pass !== null) await this.#leaderLock.completePass(pass);
  }

  /** Continues an open rescan for one step. */
  async #rescan(fence: Fence): Promise<void> {
    if (await runWithFence(fence, () => this.#options.payments.rescans.step())) this.#isWoken = true;
  }

  /** Forwards waiting calls to the leader. */
  async #requestFromLeader(waiters: readonly Waiter[]): Promise<void> {
    if (waiters.length === 0) return;
    try {
      await this.#leaderLock.requestPass(LEADER_TIMEOUT_MS);
      for (const { resolve } of waiters) resolve();
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    }
  }

  async #sleep(): Promise<void> {
    if (this.#isWoken && this.#failures === 0) return;
    // While the source fails, hints do not shorten the delay, but waiting callers do.
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
