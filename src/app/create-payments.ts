/** Creates the payments service and the events that it emits. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, Query } from '#src/platform/process/events.ts';
import { Payments } from '#src/shop/payments/service.ts';
import type { PaymentsOptions } from '#src/shop/payments/service.ts';

export type PaymentsSliceOptions = Omit<PaymentsOptions, 'listWaitingRecipients' | 'onLedgerChanged' | 'onReconciled'>;

export function createPayments({ accountKey, clock, db, indexDb, log, source }: PaymentsSliceOptions) {
  /** Orders and refund scripts whose addresses are watched. */
  const waitingRecipients = new Query<[], readonly string[]>();
  /** In the transaction that changes the ledger. */
  const ledgerChanged = new AsyncEvent<[tx: Db, recipientIds: readonly string[]]>();
  /** After each chain sync, outside of any transaction. */
  const ledgerReconciled = new AsyncEvent<[at: Date]>();
  const payments = new Payments({
    db,
    indexDb,
    clock,
    log,
    source,
    accountKey,
    listWaitingRecipients: waitingRecipients.run,
    onLedgerChanged: ledgerChanged.emit,
    onReconciled: ledgerReconciled.emit,
  });
  return { payments, waitingRecipients, ledgerChanged, ledgerReconciled };
}
