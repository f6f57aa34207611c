import type { CheckoutProblem } from './find-checkout-problem.ts';

export interface CheckoutRejection {
  readonly ok: false;
  readonly reason: CheckoutProblem;
  /** What exactly is wrong, where the reason alone does not say it. */
  readonly words?: string;
  /** Of 'too-often'. */
  readonly retryAfterSeconds?: number;
}

/** Undoes the transaction of a checkout that is refused: nothing of it stays, its key neither. */
export class CheckoutError extends Error {
  readonly refused: CheckoutRejection;
  constructor(reason: CheckoutProblem, more: Pick<CheckoutRejection, 'words' | 'retryAfterSeconds'> = {}) {
    super(reason);
    this.refused = { ...more, ok: false, reason };
  }
}
