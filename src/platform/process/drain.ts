import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Takes a process out of service before it stops: it still serves every request, but reports that it is not ready and
 * closes each connection after its response.
 */
export class Drain {
  readonly #seconds: number;
  #isServing = false;
  #isDraining = false;

  /** @param seconds until load balancers have noticed; 0: stops immediately */
  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  readonly isDraining = (): boolean => this.#isDraining;

  /** The process serves requests; before that there is nothing to wait for. */
  begin(): void {
    this.#isServing = true;
  }

  /** Resolves when the process can stop. */
  async run(): Promise<void> {
    this.#isDraining = true;
    if (this.#isServing && this.#seconds > 0) await sleep(this.#seconds * 1000);
  }
}
