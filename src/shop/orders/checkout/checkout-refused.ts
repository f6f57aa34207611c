import type { CheckoutProblem } from './refuse-checkout.ts';

export interface NotCheckedOut {
  readonly ok: false;
  readonly reason: CheckoutProblem;
  /** What exactly is wrong, where the reason alone does not say it. */
  readonly words?: string;
  /** Of 'too-often'. */
  readonly retryAfterSeconds?: number;
}

/** Undoes the transaction of a checkout that is refused: nothing of it stays, its key neither. */
export class CheckoutRefused extends Error {
  readonly refused: NotCheckedOut;
  constructor(reason: CheckoutProblem, more: Pick<NotCheckedOut, 'words' | 'retryAfterSeconds'> = {}) {
    super(reason);
    this.refused = { ...more, ok: false, reason };
  }
}
