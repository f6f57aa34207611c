/** What an expired or cancelled order gave back and can't have again. */
export interface Unavailable {
  readonly reason: 'sold-out' | 'promo' | 'reserve-limit';
  readonly words: string;
}

/** Why an order was not quoted again, found after something was written. */
type Refused = Unavailable | { readonly reason: 'too-often'; readonly retryAfterSeconds: number };

/** Undoes the transaction in which an order was to be quoted again. */
export class RequoteError extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.reason);
    this.refused = refused;
  }
}
