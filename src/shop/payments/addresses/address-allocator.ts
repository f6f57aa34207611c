interface Waiter {
  readonly resolve: (index: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Hands out derivation indexes, each once. Concurrent calls share one batch, so none waits for the
 * transaction of another.
 */
export class AddressAllocator {
  readonly #take: (count: number) => Promise<number>;
  readonly #waiting: Waiter[] = [];
  #isTaking = false;

  /** @param take Reserves this many consecutive indexes permanently and returns the first. */
  constructor(take: (count: number) => Promise<number>) {
    this.#take = take;
  }

  allocateNext(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isTaking) void this.#serve();
    });
  }

  /** Never rejects. */
  async #serve(): Promise<void> {
    this.#isTaking = true;
    while (this.#waiting.length > 0) {
      const served = this.#waiting.splice(0);
      try {
        const first = await this.#take(served.length);
        for (const [offset, { resolve }] of served.entries()) resolve(first + offset);
      } catch (error) {
        for (const { reject } of served) reject(error);
      }
    }
    this.#isTaking = false;
  }
}
