import { setTimeout as sleep } from 'node:timers/promises';

/** Shares the result of a reading among all that ask within a time. */
export class SharedReading<T> {
  readonly #reusedMs: number;
  #last: { readonly value: T; readonly untilMs: number } | null = null;
  #running: Promise<T> | null = null;

  constructor(reusedMs: number) {
    this.#reusedMs = reusedMs;
  }

  /**
   * The last value while it may be reused, otherwise a new one. Null if the reading fails, or takes longer than
   * `timeoutMs`; no second one starts while it runs.
   */
  async read(read: () => Promise<T>, timeoutMs = Infinity): Promise<T | null> {
    if (this.#last !== null && performance.now() < this.#last.untilMs) return this.#last.value;
    this.#running ??= read()
      .then((value) => {
        this.#last = { value, untilMs: performance.now() + this.#reusedMs };
        return value;
      })
      .finally(() => {
        this.#running = null;
      });
    const reading = this.#running.catch(() => null);
    if (timeoutMs === Infinity) return reading;
    return Promise.race([reading, sleep(timeoutMs, null, { ref: false })]);
  }
}
