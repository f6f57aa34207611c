/** Items in one queue per client, taken from one client after another. */
const acceptAll = (): boolean => true;

type Accepts = (client: string) => boolean;

export class RoundRobin<Item> {
  /** In the order in which clients are served. A Set iterates in insertion order. */
  readonly #queues = new Map<string, Set<Item>>();
  #size = 0;

  /** Items of all clients. */
  get size(): number {
    return this.#size;
  }

  count(client: string): number {
    return this.#queues.get(client)?.size ?? 0;
  }

  add(client: string, item: Item): void {
    const queue = this.#queues.get(client) ?? new Set();
    queue.add(item);
    this.#queues.set(client, queue);
    this.#size += 1;
  }

  delete(client: string, item: Item): void {
    const queue = this.#queues.get(client);
    if (queue?.delete(item) !== true) return;
    this.#size -= 1;
    if (queue.size === 0) this.#queues.delete(client);
  }

  /** All clients that wait now are served before this one. */
  moveToEnd(client: string): void {
    const queue = this.#queues.get(client);
    if (queue === undefined) return;
    this.#queues.delete(client);
    this.#queues.set(client, queue);
  }

  /** Takes the oldest item of the next client that is accepted, who then goes to the end. */
  takeNext(accepts: Accepts = acceptAll): Item | undefined {
    for (const [client, queue] of this.#queues) {
      if (!accepts(client)) continue;
      const [item] = queue;
      if (item === undefined) continue;
      this.delete(client, item);
      this.#queues.delete(client);
      if (queue.size > 0) this.#queues.set(client, queue);
      return item;
    }
    return undefined;
  }

  /** Takes the newest item of the accepted client with the most, if that has more than `above`. */
  takeFromLongest(above: number, accepts: Accepts = acceptAll): Item | undefined {
    let [longest, length] = ['', above];
    for (const [client, queue] of this.#queues) {
      if (queue.size > length && accepts(client)) [longest, length] = [client, queue.size];
    }
    const newest = [...(this.#queues.get(longest) ?? [])].at(-1);
    if (length === above || newest === undefined) return undefined;
    this.delete(longest, newest);
    return newest;
  }
}
