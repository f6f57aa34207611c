/**
 * Runs few tasks at once and lets the others wait in one queue per client, served in turn: a client
 * with many tasks waits for its own.
 */

interface Waiter {
  /** False: there is no room for it any more. */
  readonly start: (hasTurn: boolean) => void;
}

export interface FairQueueOptions {
  /** Tasks that run at once. */
  readonly concurrency: number;
  /** Tasks that wait, of all clients. */
  readonly maxWaiting: number;
  /** Tasks that wait, of one client. */
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

  /** The task's result; null when it was refused because too many wait. */
  async run<T>(client: string, task: () => Promise<T>): Promise<T | null> {
    if (this.#running < this.#options.concurrency) this.#running += 1;
    else if (!(await this.#wait(client))) return null;
    try {
      return await task();
    } finally {
      // The next one takes over this place, so `#running` stays as it is.
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

  /** Refuses the last task of the client with the most; false when none has more than the newcomer would. */
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
    // Behind all others: each client has one turn in a round.
    this.#queues.delete(client);
    if (queue.length > 0) this.#queues.set(client, queue);
    this.#waiting -= 1;
    next?.start(true);
    return true;
  }
}
