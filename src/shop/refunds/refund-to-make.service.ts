/** What staff ask for when they make a refund. */
import type { Db } from '#src/platform/database/database.ts';
import type { RefundRequest } from './decide-debit.ts';

export interface RefundToMake extends RefundRequest {
  readonly feePaidBy: 'shop' | 'buyer';
  /** Sats per virtual byte. Defaults to the estimate of the chain source. */
  readonly feeRate?: number | undefined;
  /** `coins`: a PSBT that spends coins of the ledger. `any-wallet`: staff send from any wallet. */
  readonly from: 'coins' | 'any-wallet';
  /** Staff checked the wallet for refunds sent before a backup was restored. */
  readonly isChecked?: boolean | undefined;
  /** Called last in the transaction of the refund. False rolls it back: what it was made for has changed. */
  readonly onMade?: (tx: Db, refundId: string) => Promise<boolean>;
}

/** Rolls back a refund whose cause has changed. */
export class CauseChangedError extends Error {}
