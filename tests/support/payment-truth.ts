/** PAY-09 in other words than the shop's: "k deep" is the greatest k such that outputs with at least k confirmations cover. */
import type { LedgerState, StoredOrder } from './memory-ledger.ts';

export interface Facts {
  status: StoredOrder['paymentStatus'];
  paid: boolean;
  expired: boolean;
  cancelled: boolean;
  lastLeft: 'replaced' | 'dropped' | 'either' | null;
  requotes: number;
}

export interface Output {
  readonly key: string;
  readonly txid: string;
  readonly vout: number;
  readonly amount: bigint;
  readonly height: number | null;
  readonly isCoinbase: boolean;
  readonly confirmations: number;
}

interface Standing {
  readonly depth: number;
  readonly needed: number;
  readonly isCovered: boolean;
  readonly received: bigint;
  readonly isOver: boolean;
}

/** PAY-09, the first that fits. */
export function stateOf(facts: Facts, { depth, needed, isCovered, received, isOver }: Standing): string {
  if (facts.paid && !facts.cancelled && depth < needed) return 'reorged_out';
  if (depth >= needed) return isOver ? 'overpaid' : 'paid';
  if (depth >= 0) return depth === 0 ? 'seen' : 'confirming';
  if (isCovered) return 'late';
  if (received > 0n) return 'underpaid';
  return facts.expired ? 'expired' : (facts.lastLeft ?? 'awaiting');
}

export const sum = (outputs: readonly Output[]): bigint => outputs.reduce((total, { amount }) => total + amount, 0n);

export function depthOf(outputs: readonly Output[], due: bigint): number {
  const depths = outputs.map(({ confirmations }) => confirmations).toSorted((a, b) => b - a);
  return depths.find((depth) => sum(outputs.filter(({ confirmations }) => confirmations >= depth)) >= due) ?? -1;
}

/** What a ledger holds of an order, deep enough, whatever the chain has done since it last looked. */
export function deepInLedger({ cursor, rows }: LedgerState, order: StoredOrder): bigint {
  const deep = [...rows.values()].filter(({ payeeId, isLive, isCoinbase, height }) => {
    const confirmations = isLive && height !== null && cursor !== null ? cursor.height - height + 1 : 0;
    return payeeId === order.id && confirmations >= (isCoinbase ? 100 : order.requiredConfirmations);
  });
  return deep.reduce((total, { amountSats }) => total + amountSats, 0n);
}
