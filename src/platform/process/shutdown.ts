/** Stops the parts of a process in reverse order, within a time limit. */
import type { Log } from './log.ts';

interface Step {
  readonly name: string;
  readonly end: (withinMs: number) => Promise<unknown>;
  readonly atMostMs: number;
}

interface StepOptions {
  /** Limit of this step alone. */
  readonly atMostMs?: number;
}

/** Containers are killed 10 s after SIGTERM. */
const TOTAL_MS = 9_000;
/** Reserved for the first step, which runs last: the database. */
const RESERVED_FOR_FIRST_MS = 3_500;
/** Minimum time of a step after earlier ones have used up the limit. */
const MIN_STEP_MS = 50;

export class Shutdown {
  readonly #log: Log;
  readonly #steps: Step[] = [];
  #running: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Adds a step that runs before all that were added earlier.
   * @param end gets its time limit in ms; after it, the next step runs
   */
  add(name: string, end: (withinMs: number) => Promise<unknown>, { atMostMs = TOTAL_MS }: StepOptions = {}): void {
    this.#steps.push({ name, end, atMostMs });
  }

  /** Runs every step once. Idempotent. Never throws. */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    const began = Date.now();
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      const reserved = this.#steps.length === 0 ? 0 : RESERVED_FOR_FIRST_MS;
      const withinMs = Math.min(step.atMostMs, Math.max(MIN_STEP_MS, TOTAL_MS - reserved - (Date.now() - began)));
      await this.#runStep(step, withinMs);
    }
  }

  async #runStep({ name, end }: Step, withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), withinMs);
    });
    const ended = Promise.resolve(withinMs)
      .then(end)
      .then(
        () => true,
        (error: unknown) => {
          this.#log.error({ err: error, part: name }, 'a part could not be stopped');
          return true;
        },
      );
    if (!(await Promise.race([ended, limit]))) this.#log.warn({ part: name }, 'a part did not stop in time');
    clearTimeout(timer);
  }
}
