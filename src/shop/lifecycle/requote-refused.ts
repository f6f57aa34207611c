/** What an expired or cancelled order gave back and can't have again. */
export interface Gone {
  readonly reason: 'sold-out' | 'promo';
  readonly words: string;
}

/** Undoes the transaction in which an order was to be quoted again. */
export class RequoteRefused extends Error {
  readonly gone: Gone;
  constructor(gone: Gone) {
    super(gone.words);
    this.gone = gone;
  }
}
