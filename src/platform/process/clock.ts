/** The clock of the shop. All decisions by time use it, so that tests and developers can move it. */
export interface Clock {
  now(): Date;
}

/** Real time plus an offset that developers may set. */
export class AdjustableClock implements Clock {
  #offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  /** @param seconds added to real time; 0 resets the clock */
  setOffset(seconds: number): void {
    this.#offsetMs = seconds * 1000;
  }
}
