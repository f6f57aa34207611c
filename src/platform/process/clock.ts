/** The shop's time. Everything that decides by time asks it, so that a test or a developer can move it. */
export interface Clock {
  now(): Date;
}

/** Real time plus an offset that developers may set. */
export class AdjustableClock implements Clock {
  #offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  /** @param seconds added to real time from now on; 0 puts the clock back. */
  setOffset(seconds: number): void {
    this.#offsetMs = seconds * 1000;
  }
}
