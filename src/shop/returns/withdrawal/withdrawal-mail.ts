import type { WithdrawalResult } from './kinds.ts';

/** What the mails about a statement of withdrawal say. */
export interface WithdrawalMail {
  /** Of the order. */
  readonly contact: { readonly email: string; readonly isConfirmed: boolean };
  /** The other address that the buyer named; null: none. */
  readonly copyTo: string | null;
  readonly number: string;
  readonly reference: string;
  readonly statedAt: Date;
  readonly timeZone: string;
  readonly statement: string;
  readonly result: WithdrawalResult;
  /** Last day of the period, such as 2026-12-14; null: it has not begun. */
  readonly lastDay: string | null;
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly cancelled: number }[];
  readonly refundDueAt: Date | null;
  /** Token of the acknowledgement. */
  readonly receipt: string;
}
