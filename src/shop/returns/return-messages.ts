/** Names of causes, states and deadlines of returns on the screen. */
import type { ReturnCause, ReturnState } from './kinds.ts';

export const CAUSES: Readonly<Record<ReturnCause, string>> = {
  withdrawal: 'Withdrawal',
  defect: 'Defect',
  courtesy: 'Courtesy',
};

interface StateMessage {
  readonly text: string;
  readonly tone: 'neutral' | 'good' | 'waiting' | 'bad';
  /** What happens next, for the buyer. */
  readonly next: string;
}

const STATES: Readonly<Record<ReturnState, StateMessage>> = {
  requested: {
    text: 'Requested',
    tone: 'waiting',
    next: 'We decide on your request and write to you. Keep the items until then.',
  },
  approved: {
    text: 'Approved',
    tone: 'waiting',
    next: 'Send the items with the slip, then enter the tracking number.',
  },
  'in-transit': { text: 'In transit', tone: 'waiting', next: 'We write to you when the items arrive.' },
  received: { text: 'Received', tone: 'waiting', next: 'The items arrived. We inspect them and write to you.' },
  inspected: { text: 'Inspected', tone: 'waiting', next: 'We inspected the items. We complete the return next.' },
  closed: { text: 'Closed', tone: 'neutral', next: 'This return is closed.' },
  refused: { text: 'Refused', tone: 'bad', next: 'We could not accept this return.' },
};

const OUTCOMES: Readonly<Record<string, StateMessage>> = {
  refunded: {
    text: 'Refunded',
    tone: 'good',
    next: 'We created the refund. Your order shows when it is sent and confirmed.',
  },
  exchanged: {
    text: 'Exchanged',
    tone: 'good',
    next: 'We credited the items to your new order.',
  },
  'not-refunded': { text: 'Closed', tone: 'neutral', next: 'We closed this return without a refund.' },
  'too-little': {
    text: 'Closed',
    tone: 'neutral',
    next: 'We closed this return. Nothing, or too little to be sent, is left to refund.',
  },
  void: {
    text: 'Void',
    tone: 'neutral',
    next: 'We agreed with you that this withdrawal is void. You keep your order.',
  },
  cancelled: { text: 'Cancelled', tone: 'neutral', next: 'You cancelled this return and keep the items.' },
};

/** @param unitsToSend none: everything was stopped before shipping */
export function describeReturn(
  {
    cause,
    outcome,
    state,
  }: { readonly cause: ReturnCause; readonly state: ReturnState; readonly outcome: string | null },
  unitsToSend: number,
): StateMessage {
  const message = (outcome === null ? undefined : OUTCOMES[outcome]) ?? STATES[state];
  if (cause === 'withdrawal' && outcome === 'not-refunded')
    return { ...message, next: 'We closed this withdrawal. Nothing of it is left that we can refund.' };
  if (state !== 'approved' || unitsToSend > 0) return message;
  return { ...message, next: 'Nothing was shipped, so you need not send anything. We create the refund.' };
}

/** Name of a state in a filter. */
export const nameState = (state: ReturnState): string => STATES[state].text;

export const DEADLINES = {
  none: null,
  waiting: null,
  withheld: 'Waits for goods or proof',
  soon: 'Due soon',
  overdue: 'Overdue',
} as const satisfies Readonly<Record<string, string | null>>;
