/**
 * Limits concurrent tasks. The others wait in one queue per client, served round robin, so a client
 * with many tasks delays only itself.
 */

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
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  /** In the order in which clients are served. */
  readonly #queues = new Map<string, Waiter[]>();
  #running = 0;
  #waiting = 0;

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
    const own = this.#queues.get(client)?.length ?? 0;
    if (own >= this.#options.maxWaitingPerClient) return Promise.resolve(false);
    if (this.#waiting >= this.#options.maxWaiting && !this.#makeRoom(own)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const queue = this.#queues.get(client) ?? [];
      queue.push({ start: resolve });
      this.#queues.set(client, queue);
      this.#waiting += 1;
    });
  }

  /** Drops the last task of the client with the most. False if no client has more than the new one would. */
  #makeRoom(own: number): boolean {
    let [longest, length] = ['', own + 1];
    for (const [client, queue] of this.#queues) if (queue.length > length) [longest, length] = [client, queue.length];
    const refused = this.#queues.get(longest)?.pop();
    if (refused === undefined) return false;
    this.#waiting -= 1;
    refused.start(false);
    return true;
  }

  #startNext(): boolean {
    const [first] = this.#queues;
    if (first === undefined) return false;
    const [client, queue] = first;
    const next = queue.shift();
    // Round robin: the client goes to the end.
    this.#queues.delete(client);
    if (queue.length > 0) this.#queues.set(client, queue);
    this.#waiting -= 1;
    next?.start(true);
    return true;
  }
}
