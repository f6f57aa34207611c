/** The price of a bitcoin. */
export interface Rate {
  /** US cents for one bitcoin, positive. */
  readonly centsPerBtc: bigint;
  readonly at: Date;
  /** Where it comes from; kept with every quote. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** `delayed`: the last good rate, at a wider spread. `none`: nothing can be sold. */
export type RateState = 'current' | 'delayed' | 'none';

export interface RateSource {
  /** The rate to sell at now; null when there is none that may be used. */
  current(): Rate | null;
}

/** One that can say how it stands with it. */
export interface RateSourceWithState extends RateSource {
  state(): RateState;
}

/** One rate for ever, for the demo shop and for tests. */
export function createFixedRate(centsPerBtc: bigint, now: () => Date): RateSourceWithState {
  return {
    current: () => ({ centsPerBtc, at: now(), evidence: { rule: 'fixed', cents_per_btc: centsPerBtc.toString() } }),
    state: () => 'current',
  };
}
