/** Creates the payments service and the events that it emits. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, Query } from '#src/platform/process/events.ts';
import { Payments } from './service.ts';
import type { PaymentsOptions } from './service.ts';

export type PaymentsSliceOptions = Omit<PaymentsOptions, 'listWaitingRecipients' | 'onLedgerChanged' | 'onReconciled'>;

export interface PaymentsSlice {
  readonly payments: Payments;
  /** Orders and refund scripts whose addresses are watched. */
  readonly waitingRecipients: Query<[], readonly string[]>;
  /** In the transaction that changes the ledger. */
  readonly ledgerChanged: AsyncEvent<[tx: Db, recipientIds: readonly string[]]>;
  /** After each chain sync, outside of any transaction. */
  readonly ledgerReconciled: AsyncEvent<[at: Date]>;
}

export function createPayments(options: PaymentsSliceOptions): PaymentsSlice {
  const waitingRecipients: PaymentsSlice['waitingRecipients'] = new Query();
  const ledgerChanged: PaymentsSlice['ledgerChanged'] = new AsyncEvent();
  const ledgerReconciled: PaymentsSlice['ledgerReconciled'] = new AsyncEvent();
  const payments = new Payments({
    ...options,
    listWaitingRecipients: waitingRecipients.run,
    onLedgerChanged: ledgerChanged.emit,
    onReconciled: ledgerReconciled.emit,
  });
  return { payments, waitingRecipients, ledgerChanged, ledgerReconciled };
}
