/** States of a return, and who moves it from one to the next. */

import type { ReturnCause, ReturnState } from './kinds.ts';

/** A return in one of these states needs nothing more. */
export const endStates: ReadonlySet<ReturnState> = new Set(['closed', 'refused']);

export const returnActions = [
  'approve',
  'refuse',
  'cancel',
  'send',
  'receive',
  'inspect',
  'refund',
  'exchange',
  'close',
  'void',
] as const;
export type ReturnAction = (typeof returnActions)[number];

export type ReturnRole = 'buyer' | 'staff';

interface Transition {
  readonly by: readonly ReturnRole[];
  readonly from: readonly ReturnState[];
  readonly to: ReturnState;
}

/**
 * - refuse, cancel: not of a withdrawal, which is the buyer's right and is declared once.
 * - send: the buyer or staff name a proof of sending, which may be corrected.
 * - refund: of units that were inspected; before they arrive once there is a proof of sending, or if none has to be sent.
 * - exchange: of inspected units, whose price pays for other variants.
 * - close: without a refund, with a reason. Of a withdrawal only if nothing of it is left to refund: it ended the contract.
 * - void: buyer and shop agreed that the withdrawal is void. Its units are as before it.
 */
export const TRANSITIONS: Readonly<Record<ReturnAction, Transition>> = {
  approve: { by: ['staff'], from: ['requested'], to: 'approved' },
  refuse: { by: ['staff'], from: ['requested', 'approved'], to: 'refused' },
  cancel: { by: ['buyer'], from: ['requested', 'approved'], to: 'closed' },
  send: { by: ['buyer', 'staff'], from: ['approved', 'in-transit'], to: 'in-transit' },
  receive: { by: ['staff'], from: ['approved', 'in-transit', 'received'], to: 'received' },
  inspect: { by: ['staff'], from: ['received', 'inspected'], to: 'inspected' },
  refund: { by: ['staff'], from: ['approved', 'in-transit', 'inspected'], to: 'closed' },
  exchange: { by: ['staff'], from: ['inspected'], to: 'closed' },
  close: { by: ['staff'], from: ['approved', 'in-transit', 'received', 'inspected'], to: 'closed' },
  void: { by: ['staff'], from: ['approved', 'in-transit', 'received', 'inspected'], to: 'closed' },
};

/** What decides which actions a return has. */
export interface ReturnPosition {
  readonly cause: ReturnCause;
  readonly state: ReturnState;
  /** Units that the buyer sends: all but those that were cancelled before shipping. */
  readonly unitsToSend: number;
  /** Units whose price is returned. Before the inspection: all of them. */
  readonly unitsToRefund: number;
  /** Of these, units that were paid and that no other refund took. */
  readonly unitsOwed: number;
  /** Units that were sent back belong to the buyer again, so their condition is final. */
  readonly isReleased: boolean;
}

function isSensible(
  action: ReturnAction,
  { cause, isReleased, state, unitsOwed, unitsToRefund, unitsToSend }: ReturnPosition,
): boolean {
  switch (action) {
    case 'refuse':
    case 'cancel':
      return cause !== 'withdrawal';
    case 'send':
    case 'receive':
      return unitsToSend > 0;
    case 'inspect':
      return unitsToSend > 0 && !isReleased;
    case 'refund':
      return unitsToRefund > 0 && (state !== 'approved' || unitsToSend === 0);
    case 'exchange':
      return unitsToRefund > 0 && unitsOwed > 0;
    case 'close':
      return cause !== 'withdrawal' || unitsOwed === 0;
    case 'void':
      return cause === 'withdrawal' && unitsOwed > 0;
    case 'approve':
      return true;
    default:
      return action satisfies never;
  }
}

/** What this role can do with the return now. */
export const listActions = (position: ReturnPosition, role: ReturnRole): readonly ReturnAction[] =>
  returnActions.filter((action) => {
    const { by, from } = TRANSITIONS[action];
    return by.includes(role) && from.includes(position.state) && isSensible(action, position);
  });
