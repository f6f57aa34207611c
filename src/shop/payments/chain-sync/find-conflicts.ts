import type { PendingTransaction } from '../ledger/ledger-store.ts';

/** A transaction and the outpoints (`txid:vout`) it spends. */
export interface Spending {
  readonly txid: string;
  readonly outpoints: readonly string[];
}

export type ReadSpending = (rawTx: Uint8Array) => Spending;

/**
 * Outpoints that a payment and its unconfirmed ancestors spend; a conflict on any of them
 * invalidates the payment.
 */
export function collectSpending({ txid, rawTx, rawAncestors }: PendingTransaction, read: ReadSpending): Spending {
  return { txid, outpoints: [rawTx, ...rawAncestors].flatMap((raw) => read(raw).outpoints) };
}

/**
 * Spent outpoints of open payments and their unconfirmed ancestors: the spender of each, and the
 * payment that a conflict invalidates.
 */
export type SpentOutpoints = ReadonlyMap<string, readonly { readonly spender: string; readonly payment: string }[]>;

export function indexSpentOutpoints(pending: readonly PendingTransaction[], read: ReadSpending): SpentOutpoints {
  const spentOutpoints = new Map<string, { spender: string; payment: string }[]>();
  for (const { txid, rawTx, rawAncestors } of pending) {
    for (const spending of [rawTx, ...rawAncestors].map(read)) {
      for (const outpoint of spending.outpoints) {
        const spenders = spentOutpoints.get(outpoint) ?? [];
        spenders.push({ spender: spending.txid, payment: txid });
        spentOutpoints.set(outpoint, spenders);
      }
    }
  }
  return spentOutpoints;
}

/**
 * Payments invalidated by transactions that spend the same outpoints, with the conflicting txid.
 */
export function findConflicts(
  spentOutpoints: SpentOutpoints,
  spendings: Iterable<Spending>,
): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>();
  for (const { txid, outpoints } of spendings) {
    for (const outpoint of outpoints) {
      for (const { spender, payment } of spentOutpoints.get(outpoint) ?? []) {
        if (spender !== txid && payment !== txid) replaced.set(payment, txid);
      }
    }
  }
  return replaced;
}
