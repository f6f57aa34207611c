/** Stock or promotion use that could not be reserved again. */
export interface Unavailable {
  readonly reason: 'sold-out' | 'promo' | 'reserve-limit';
  readonly words: string;
}

/** Why a requote was rejected after writes. */
type Refused = Unavailable | { readonly reason: 'too-often'; readonly retryAfterSeconds: number };

/** Rolls back the transaction of a requote. */
export class RequoteError extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.reason);
    this.refused = refused;
  }
}
