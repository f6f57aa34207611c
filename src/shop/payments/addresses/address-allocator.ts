interface Waiter {
  readonly resolve: (index: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Hands out indexes, each once. Those who ask while indexes are being taken are served by the next taking together, so
 * that nobody waits for another's transaction to end.
 */
export class AddressAllocator {
  readonly #take: (count: number) => Promise<number>;
  readonly #waiting: Waiter[] = [];
  #isTaking = false;

  /** @param take so many indexes in a row, for good; answers the first. */
  constructor(take: (count: number) => Promise<number>) {
    this.#take = take;
  }

  next(): Promise<number> {
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
