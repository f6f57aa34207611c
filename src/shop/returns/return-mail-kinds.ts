/** Mails to the buyer about a return, one for each step, and when each is still true. */
import type { ReturnCause, ReturnState } from './kinds.ts';
import { endStates } from './return-state.ts';

export const returnMails = [
  'requested',
  'approved',
  'label',
  'refused',
  'cancelled',
  'sent',
  'received',
  'inspected',
  'refunded',
  'exchanged',
  'closed',
  'reopened',
  'voided',
] as const;
export type ReturnMail = (typeof returnMails)[number];

export const isReturnMail = (text: string): text is ReturnMail => returnMails.some((mail) => mail === text);

export const returnOutcomes = [
  'refunded',
  'exchanged',
  'not-refunded',
  'too-little',
  'cancelled',
  'refused',
  'void',
] as const;

/** The price of the units went back to the buyer, as money or as a credit. */
const isPaidBack = (outcome: string | null): boolean => outcome === 'refunded' || outcome === 'exchanged';

/** How a return ended, for the mails that say so. */
const ENDS = {
  refunded: ['refunded'],
  exchanged: ['exchanged'],
  cancelled: ['cancelled'],
  refused: ['refused'],
  closed: ['not-refunded', 'too-little'],
  voided: ['void'],
} as const satisfies Partial<Record<ReturnMail, readonly (typeof returnOutcomes)[number][]>>;

const isEndMail = (mail: ReturnMail): mail is keyof typeof ENDS => mail in ENDS;

interface MailPosition {
  readonly state: ReturnState;
  readonly outcome: string | null;
  /** A file or a link. */
  readonly hasLabel: boolean;
}

/** Whether a mail is still true. Mails that are not are not sent. */
export function isMailStillTrue(mail: ReturnMail, { hasLabel, outcome, state }: MailPosition): boolean {
  if (isEndMail(mail)) return ENDS[mail].some((one) => one === outcome);
  switch (mail) {
    case 'requested':
      return state === 'requested';
    case 'approved':
      return state === 'approved' || state === 'in-transit';
    case 'label':
      // What was sent needs no label any more.
      return state === 'approved' && hasLabel;
    case 'sent':
      return state === 'in-transit';
    case 'received':
      return state === 'received' || state === 'inspected' || isPaidBack(outcome);
    case 'inspected':
      return state === 'inspected' || isPaidBack(outcome);
    case 'reopened':
      // After it was closed; no withdrawal is only requested.
      return state !== 'requested' && !endStates.has(state);
    default:
      return mail satisfies never;
  }
}

/** Whether the mail to staff about a new return is still true: it waits for their decision, or is an open withdrawal. */
export const isStaffMailStillTrue = ({
  cause,
  state,
}: {
  readonly cause: ReturnCause;
  readonly state: ReturnState;
}): boolean => (cause === 'withdrawal' ? !endStates.has(state) : state === 'requested');
