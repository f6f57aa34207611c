import type { CheckoutProblem } from './find-checkout-problem.ts';

export interface CheckoutRejection {
  readonly ok: false;
  readonly reason: CheckoutProblem;
  /** Details that the reason does not contain. */
  readonly words?: string;
  /** For 'too-often'. */
  readonly retryAfterSeconds?: number;
}

/** Rolls back the transaction of a rejected checkout, its idempotency key included. */
export class CheckoutError extends Error {
  readonly refused: CheckoutRejection;
  constructor(reason: CheckoutProblem, more: Pick<CheckoutRejection, 'words' | 'retryAfterSeconds'> = {}) {
    super(reason);
    this.refused = { ...more, ok: false, reason };
  }
}
