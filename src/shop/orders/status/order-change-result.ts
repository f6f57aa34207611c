import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { CancelProblem } from './evaluate-order.ts';
import type { RefundBlock } from './find-refund-block.ts';
import type { CloseAsLossProblem } from './order-loss.ts';
import type { RequoteProblem } from './requote-order.ts';
import type { ShownOrder } from '../show-order.ts';
import type { Unavailable } from './requote-error.ts';
import type { FulfilmentProblem } from '../fulfilment/find-fulfilment-problem.ts';
import type { StaffCancelProblem } from './find-staff-cancel-problem.ts';
import type { Repricing } from './find-repricing.ts';
import type { ReleaseProblem } from './find-release-problem.ts';
import type { AcceptAsPaidProblem } from './decide-accept-as-paid.ts';

export interface OrderChangeRefusal {
  readonly ok: false;
  readonly reason:
    | CancelProblem
    | RequoteProblem
    | FulfilmentProblem
    | AcceptAsPaidProblem
    | StaffCancelProblem
    | RefundBlock
    | CloseAsLossProblem
    | Unavailable['reason']
    | ReleaseProblem
    | 'too-often'
    | 'blocked'
    /** The buyer placed it. */
    | 'not-manual'
    | 'not-found';
  /** Details that the reason does not contain. */
  readonly words?: string;
  /** For 'serial-numbers': messages by field. */
  readonly problems?: Readonly<Record<string, string>>;
  /** For 'repriced'. */
  readonly repricing?: Repricing;
  /** For 'too-often'. */
  readonly retryAfterSeconds?: number;
}

/** Result of a change to an order. */
export type OrderChangeResult = { readonly ok: true; readonly order: ShownOrder } | OrderChangeRefusal;

export const NOT_FOUND: OrderChangeRefusal = { ok: false, reason: 'not-found' };

/** The acting staff member and the reason, visible to staff only. */
export interface StaffReason {
  readonly by: StaffActor;
  readonly reason: string;
}

/** What an order event stores of the decision of staff. */
export const toEventDetails = ({ by, reason }: StaffReason) => ({ by: by.userId, reason });
