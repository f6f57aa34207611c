/** The price of a bitcoin. */
export interface Rate {
  /** US cents for one bitcoin, positive. */
  readonly centsPerBtc: bigint;
  readonly at: Date;
  /** Its origin, stored with every quote. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** `delayed`: the last good rate with a wider spread. `none`: checkout is closed. */
export type RateState = 'current' | 'delayed' | 'none';

export interface RateSource {
  /** The present rate. Null if none may be used. */
  getCurrent(): Rate | null;
}

/** A rate source that reports its state. */
export interface RateSourceWithState extends RateSource {
  getState(): RateState;
  /** The rate never changes: its `at` is the present moment. */
  readonly isConstant?: boolean;
}

export interface FixedRate extends RateSourceWithState {
  /** The rate that pages show: the same. */
  readonly display: RateSourceWithState;
}

/** A constant rate, for demo mode and tests. */
export function createFixedRate(centsPerBtc: bigint, now: () => Date): FixedRate {
  const rate: RateSourceWithState = {
    getCurrent: () => ({ centsPerBtc, at: now(), evidence: { rule: 'fixed', cents_per_btc: centsPerBtc.toString() } }),
    getState: () => 'current',
    isConstant: true,
  };
  return { ...rate, display: rate };
}
