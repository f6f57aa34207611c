import type { OrderBook } from '../orders/evaluate-order.ts';
import { isGoneForGood } from '../payments/lost-payments.ts';
import { confirmationsOf } from '../payments/payment-state.ts';
import { keptAmount, turnTexts } from '../tracking/timeline-words.ts';

/** A turn in an order's life, with what was noted and who of staff did it. */
export interface NotedTurn {
  readonly kind: string;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
  readonly by: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Why it was done, where to, what is gone, or which transaction. */
const noteOf = (details: NotedTurn['details']): string | null =>
  text(details['reason']) ?? text(details['words']) ?? text(details['address']) ?? text(details['txid']);

/** A timeline as staff read it, oldest first. */
export function showTurns(turns: readonly NotedTurn[]) {
  const texts = turnTexts(turns.map(({ kind }) => kind));
  return turns.map(({ kind, at, details, by }, index) => ({
    kind,
    text: texts[index] ?? '',
    at,
    due_btc: keptAmount(details, 'due_sats'),
    received_btc: keptAmount(details, 'received_sats'),
    note: noteOf(details),
    by,
  }));
}

/** All that ever paid an order, what left included. */
export const showOutputs = ({ outputs, tip }: OrderBook, required: number) =>
  outputs.map((output) => ({
    txid: output.txid,
    vout: output.vout,
    amount_btc: output.amountSats,
    is_coinbase: output.isCoinbase,
    is_live: output.isLive,
    height: output.height,
    confirmations: confirmationsOf(output, tip),
    first_seen: output.firstSeen,
    left_because: output.leftBecause,
    left_at: output.leftAt,
    conflict_height: output.conflictHeight ?? null,
    is_lost_for_good: isGoneForGood(output, tip, required),
  }));
