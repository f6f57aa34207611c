/** The real payments service without a node: tests write the ledger instead of chain sync. */
import assert from 'node:assert/strict';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { Payments } from '#src/shop/payments/service.ts';
import { silentLog } from './database.ts';

const rejectCall = (): Promise<never> => Promise.reject(new Error('orders must not call a node'));

export function createLedgerPayments({
  clock,
  db,
  indexDb,
}: {
  readonly db: Db;
  /** Connection for address allocation while a caller holds another one. */
  readonly indexDb: Db;
  readonly clock: Clock;
}): Payments {
  const account = readAccountKey(DEMO_ACCOUNT_KEY, 'regtest');
  assert.ok(account.ok);
  return new Payments({
    db,
    indexDb,
    clock,
    log: silentLog,
    accountKey: account.account,
    listWaitingRecipients: rejectCall,
    source: {
      name: 'devchain',
      pollMs: 2_000,
      readTip: rejectCall,
      readBlockHash: rejectCall,
      readRawBlock: rejectCall,
      listMempoolTxids: rejectCall,
      readRawTransaction: rejectCall,
      broadcast: rejectCall,
      isUnspent: rejectCall,
      findTransaction: rejectCall,
      findOldestBlock: rejectCall,
      listLimitations: async () => [],
      readMempoolEntries: rejectCall,
      readTime: rejectCall,
      estimateFeeRate: rejectCall,
      onHint: () => () => {},
    },
    onLedgerChanged: rejectCall,
    onReconciled: rejectCall,
  });
}
