import type { CancelProblem } from './evaluate-order.ts';
import type { Frozen } from './frozen-by.ts';
import type { ClosingProblem } from './order-loss.ts';
import type { RequoteProblem } from './requote-order.ts';
import type { ShownOrder } from '../show-order.ts';
import type { Gone } from './requote-refused.ts';
import type { FulfilmentProblem } from '../fulfilment/refuse-fulfilment.ts';
import type { GiveUpProblem } from './refuse-giving-up.ts';
import type { ReleaseProblem } from './refuse-release.ts';
import type { SettleProblem } from './refuse-settling.ts';

export interface NotChanged {
  readonly ok: false;
  readonly reason:
    | CancelProblem
    | RequoteProblem
    | FulfilmentProblem
    | SettleProblem
    | GiveUpProblem
    | Frozen
    | ClosingProblem
    | Gone['reason']
    | ReleaseProblem
    | 'too-often'
    | 'not-found';
  /** What exactly is wrong, where the reason alone does not say it. */
  readonly words?: string;
  /** Of 'too-often'. */
  readonly retryAfterSeconds?: number;
}

/** What became of an order that somebody wanted to change. */
export type Changed = { readonly ok: true; readonly order: ShownOrder } | NotChanged;

export const NOT_FOUND: NotChanged = { ok: false, reason: 'not-found' };
