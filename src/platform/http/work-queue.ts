/**
 * Runs a limited number of tasks and queues a limited number by priority, in each priority from one
 * client after another. A task that would wait too long is refused, so that accepted tasks finish soon.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { RoundRobin } from '#src/platform/round-robin.ts';
import { BY_PRIORITY } from './priority.ts';
import type { Priority } from './priority.ts';

export interface ClassLimits {
  /** Maximum running tasks of this priority. Lower priorities leave places free for higher ones. */
  readonly running: number;
  readonly waiting: number;
  /** Maximum wait. A quarter of it once the queue has not been empty for a second. */
  readonly waitMs: number;
}

/** A queue that is not empty for this long is an overload, not a burst. */
const STANDING_MS = 1_000;
const STANDING_SHARE = 4;

export interface WorkQueueOptions {
  readonly limits: Readonly<Record<Priority, ClassLimits>>;
  /**
   * Event loop turns between two starts. CPU-bound work must leave turns to new requests and database
   * results: libuv accepts one connection per turn. 0: work starts as soon as it has a place.
   */
  readonly ticksBetween: number;
  /** Monotonic time in ms; for tests. */
  readonly now?: () => number;
}

export interface RunOptions {
  /** False if the client has left; checked before queued work starts. */
  readonly isWanted?: () => boolean;
  /** Whose work it is. Without it: of one client, in the order of arrival. */
  readonly client?: string;
}

export type RunResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

interface WaitingWork {
  readonly start: () => void;
  readonly isWanted: () => boolean;
  readonly refuse: () => void;
}

const isAlways = (): boolean => true;

type Outside = <T>(work: () => Promise<T>) => Promise<T>;
const place = new AsyncLocalStorage<Outside>();

/**
 * Runs work that has its own queue. Releases the place of the caller in the work queue meanwhile, so
 * that other work can run.
 */
export const runOutsideQueue: Outside = (work) => place.getStore()?.(work) ?? work();

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting: Readonly<Record<Priority, RoundRobin<WaitingWork>>> = {
    critical: new RoundRobin(),
    normal: new RoundRobin(),
    browsing: new RoundRobin(),
  };
  /** When the queue was last empty. */
  readonly #emptyAt: Record<Priority, number> = { critical: 0, normal: 0, browsing: 0 };
  readonly #now: () => number;
  #running = 0;
  #ticksToPass = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** @returns `{ok: false}` if the queue was full or the wait too long */
  async run<T>(importance: Priority, work: () => Promise<T>, options: RunOptions = {}): Promise<RunResult<T>> {
    const isAdmitted = this.#canStartNow(importance) ? this.#take() : await this.#wait(importance, options);
    if (!isAdmitted) return { ok: false };
    try {
      return { ok: true, value: await place.run(this.#runOutside, work) };
    } finally {
      this.#leave();
    }
  }

  /** Returns to its place at once, even if that is one too many: what it waited for is limited already. */
  readonly #runOutside: Outside = async (work) => {
    this.#leave();
    try {
      return await place.exit(work);
    } finally {
      this.#running += 1;
    }
  };

  #leave(): void {
    this.#running -= 1;
    this.#startWaiting();
  }

  #hasPlaceFor(importance: Priority): boolean {
    return this.#ticksToPass === 0 && this.#running < this.#options.limits[importance].running;
  }

  #canStartNow(importance: Priority): boolean {
    if (!this.#hasPlaceFor(importance)) return false;
    const before = BY_PRIORITY.slice(0, BY_PRIORITY.indexOf(importance) + 1);
    return before.every((priority) => this.#waiting[priority].size === 0);
  }

  #take(): true {
    this.#running += 1;
    if (this.#options.ticksBetween > 0) {
      this.#ticksToPass = this.#options.ticksBetween;
      setImmediate(this.#passTick);
    }
    return true;
  }

  readonly #passTick = (): void => {
    this.#ticksToPass -= 1;
    if (this.#ticksToPass > 0) setImmediate(this.#passTick);
    else this.#startWaiting();
  };

  #wait(importance: Priority, { isWanted = isAlways, client = '' }: RunOptions): Promise<boolean> {
    const waiting = this.#waiting[importance];
    const limits = this.#options.limits[importance];
    if (waiting.size >= limits.waiting) {
      const dropped = waiting.takeFromLongest(waiting.count(client) + 1);
      if (dropped === undefined) return Promise.resolve(false);
      dropped.refuse();
    }
    const now = this.#now();
    if (waiting.size === 0) this.#emptyAt[importance] = now;
    const isStanding = now - this.#emptyAt[importance] > STANDING_MS;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          waiting.delete(client, task);
          resolve(false);
        },
        limits.waitMs / (isStanding ? STANDING_SHARE : 1),
      );
      const end = (isStarted: boolean): void => {
        clearTimeout(timer);
        resolve(isStarted);
      };
      const task = { start: () => end(true), isWanted, refuse: () => end(false) };
      waiting.add(client, task);
    });
  }

  #startWaiting(): void {
    for (const importance of BY_PRIORITY) {
      while (this.#hasPlaceFor(importance)) {
        const task = this.#waiting[importance].takeNext();
        if (task === undefined) break;
        if (task.isWanted()) {
          this.#take();
          task.start();
        } else task.refuse();
      }
    }
  }
}
