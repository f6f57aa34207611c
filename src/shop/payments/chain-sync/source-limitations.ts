/** Node settings that delay or hide payments, described for the log and for staff. */
const MESSAGES = {
  'blocks-only':
    'The Bitcoin node runs with blocksonly=1: a payment shows up with its first block only. Remove that setting.',
  'small-mempool':
    'The Bitcoin node has a mempool below 50 MB: it drops payments when the network is busy. Raise its maxmempool.',
} as const;

export type Limitation = keyof typeof MESSAGES;
export const limitationKinds = ['blocks-only', 'small-mempool'] as const satisfies readonly Limitation[];

export const describeLimitation = (limitation: Limitation): string => MESSAGES[limitation];
