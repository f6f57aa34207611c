import type { PendingTransaction } from '../ledger/ledger-store.ts';

/** What a transaction spends: outpoints written `txid:vout`. */
export interface Spending {
  readonly txid: string;
  readonly outpoints: readonly string[];
}

export type ReadSpending = (rawTx: Uint8Array) => Spending;

/** What a payment and its unconfirmed ancestors spend: when another spends one of these, it falls. */
export function collectSpending({ txid, rawTx, rawAncestors }: PendingTransaction, read: ReadSpending): Spending {
  return { txid, outpoints: [rawTx, ...rawAncestors].flatMap((raw) => read(raw).outpoints) };
}

/**
 * What the payments in the open stand on: for each outpoint that one of them, or one of its unconfirmed ancestors, spends,
 * who spends it and which payment falls when another does.
 */
export type SpentOutpoints = ReadonlyMap<string, readonly { readonly spender: string; readonly payment: string }[]>;

export function indexSpentOutpoints(pending: readonly PendingTransaction[], read: ReadSpending): SpentOutpoints {
  const footing = new Map<string, { spender: string; payment: string }[]>();
  for (const { txid, rawTx, rawAncestors } of pending) {
    for (const spending of [rawTx, ...rawAncestors].map(read)) {
      for (const outpoint of spending.outpoints) {
        const stands = footing.get(outpoint) ?? [];
        stands.push({ spender: spending.txid, payment: txid });
        footing.set(outpoint, stands);
      }
    }
  }
  return footing;
}

/**
 * The payments that can't be any more, because another transaction spends what they stand on; with the id of that
 * transaction.
 */
export function findConflicts(footing: SpentOutpoints, spendings: Iterable<Spending>): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>();
  for (const { txid, outpoints } of spendings) {
    for (const outpoint of outpoints) {
      for (const { spender, payment } of footing.get(outpoint) ?? []) {
        if (spender !== txid && payment !== txid) replaced.set(payment, txid);
      }
    }
  }
  return replaced;
}
