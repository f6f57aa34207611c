/** A time on two clocks: the monotonic one stops during sleep, the wall clock may be set back. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export const readMoment = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** Milliseconds between two moments: the greater of both clocks. */
export const computeAge = (then: Moment, present: Moment): number =>
  Math.max(present.monotonicMs - then.monotonicMs, present.wallMs - then.wallMs);
