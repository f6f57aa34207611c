/**
 * Limits concurrent tasks. The others wait in one queue per client, served round robin, so a client
 * with many tasks delays only itself. Suspect clients wait behind all others.
 */
import { RoundRobin } from './round-robin.ts';

interface Waiter {
  /** False if the queue is full. */
  readonly start: (hasTurn: boolean) => void;
}

export interface FairQueueOptions {
  /** Concurrent tasks. */
  readonly concurrency: number;
  /** Waiting tasks of all clients. */
  readonly maxWaiting: number;
  /** Waiting tasks of one client. */
  readonly maxWaitingPerClient: number;
  /** Whether the client waits behind those that are not suspect. Default: none is. */
  readonly isSuspect?: (client: string) => boolean;
}

/** Every fourth start is for a suspect client, so that none waits forever. */
const SUSPECT_SHARE = 4;

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #waiting = new RoundRobin<Waiter>();
  #running = 0;
  /** Starts since the last one of a suspect client. */
  #passed = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Result of the task. Null if it was refused because the queue is full. */
  async run<T>(client: string, task: () => Promise<T>): Promise<T | null> {
    if (this.#running < this.#options.concurrency) this.#running += 1;
    else if (!(await this.#wait(client))) return null;
    try {
      return await task();
    } finally {
      // The next task takes this place, so `#running` does not change.
      if (!this.#startNext()) this.#running -= 1;
    }
  }

  #wait(client: string): Promise<boolean> {
    const { maxWaiting, maxWaitingPerClient } = this.#options;
    const own = this.#waiting.count(client);
    if (own >= maxWaitingPerClient) return Promise.resolve(false);
    if (this.#waiting.size >= maxWaiting && !this.#makeRoom(client, own)) return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.add(client, { start: resolve }));
  }

  /**
   * Drops the last task of the client with the most, if it has more than the new one would. A client that is
   * not suspect takes the place of any suspect one first; a suspect client only that of another one.
   */
  #makeRoom(client: string, own: number): boolean {
    const waiting = this.#waiting;
    const dropped = this.#isSuspect(client)
      ? waiting.takeFromLongest(own + 1, this.#isSuspect)
      : (waiting.takeFromLongest(0, this.#isSuspect) ?? waiting.takeFromLongest(own + 1));
    dropped?.start(false);
    return dropped !== undefined;
  }

  #startNext(): boolean {
    const isSuspectNext = this.#passed >= SUSPECT_SHARE - 1;
    const isFirst = (client: string): boolean => this.#isSuspect(client) === isSuspectNext;
    const preferred = this.#waiting.takeNext(isFirst);
    const next = preferred ?? this.#waiting.takeNext();
    if (next === undefined) return false;
    const isSuspectStarted = (preferred !== undefined) === isSuspectNext;
    this.#passed = isSuspectStarted ? 0 : this.#passed + 1;
    next.start(true);
    return true;
  }

  readonly #isSuspect = (client: string): boolean => this.#options.isSuspect?.(client) ?? false;
}
