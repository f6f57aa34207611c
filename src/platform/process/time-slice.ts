import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 8;

/** Lets long computations give way to requests. */
export class TimeSlice {
  #startedAt = performance.now();

  /** Waits for the next turn of the event loop if the slice is used up. Call it often. */
  async pause(): Promise<void> {
    if (performance.now() - this.#startedAt < SLICE_MS) return;
    await nextTurn();
    this.#startedAt = performance.now();
  }

  /** Runs a generator that yields often, in slices. */
  async run<Result>(steps: Generator<undefined, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }
}
