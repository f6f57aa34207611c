/** Random choices determined by a seed (mulberry32), so a run can be repeated. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to `limit` - 1. */
  pickBelow(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** True with a probability of one in `times`. */
  isOneIn(times: number): boolean {
    return this.pickBelow(times) === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.pickBelow(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** A separate stream for each concurrent user. */
  fork(index: number): SeededRandom {
    return new SeededRandom(Math.imul(this.#state ^ 0x9e3779b9, index * 2 + 1));
  }
}
