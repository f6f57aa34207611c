import type { Sats } from '../money.ts';

/** PAY-09's states. The order here is not their priority; `paymentState` below decides that. */
export const paymentStates = [
  'awaiting',
  'seen',
  'confirming',
  'underpaid',
  'paid',
  'overpaid',
  'late',
  'expired',
  'replaced',
  'dropped',
  'reorged_out',
  'refunding',
  'refunded',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** A row of the ledger. */
export interface LedgerOutput {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: Sats;
  readonly isCoinbase: boolean;
  /** In the mempool or in the best chain. */
  readonly isLive: boolean;
  /** Height of its block in the best chain; null while unconfirmed. */
  readonly height: number | null;
  readonly firstSeen: Date;
  readonly leftBecause: 'replaced' | 'dropped' | null;
  readonly leftAt: Date | null;
}
