/** The price of a bitcoin. */
export interface Rate {
  /** US cents for one bitcoin, positive. */
  readonly centsPerBtc: bigint;
  readonly at: Date;
  /** Where it comes from; kept with every quote. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

export interface RateSource {
  /** The rate to sell at now; null when there is none that may be used. */
  current(): Rate | null;
}

/** One rate for ever, for the demo shop and for tests. */
export function fixedRate(centsPerBtc: bigint, now: () => Date): RateSource {
  return {
    current: () => ({ centsPerBtc, at: now(), evidence: { rule: 'fixed', cents_per_btc: centsPerBtc.toString() } }),
  };
}
