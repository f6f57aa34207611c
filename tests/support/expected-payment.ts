/**
 * Independent model of PAY-09. The depth is the greatest k such that outputs with at least k
 * confirmations cover the amount.
 */
import type { LedgerView, StoredOrder } from './simulation-shop.ts';

export interface Facts {
  status: StoredOrder['payment_status'];
  paid: boolean;
  expired: boolean;
  cancelled: boolean;
  lastLeft: 'replaced' | 'dropped' | 'either' | null;
  requotes: number;
  /** The amount that the present quote credits from outputs first seen by then. */
  credit: Credit | null;
}

export interface Credit {
  readonly sats: bigint;
  readonly until: Date;
  /** The quote for the whole order; null if the credit covers it. */
  readonly whole: bigint | null;
}

export function computeCredit(quoted: StoredOrder, until: Date): Credit | null {
  const { credited_sats: sats, due_sats: due, unpaid_cents: unpaid, total_after_cents: total } = quoted;
  if (sats === 0n) return null;
  const scaled = (due - sats) * total;
  return { sats, until, whole: unpaid ? (scaled + unpaid - 1n) / unpaid : null };
}

/**
 * Whether outputs cover the credited amount, or the whole order without it. Not used for paid
 * orders.
 */
export function isFirm(
  { paid, credit }: Pick<Facts, 'paid' | 'credit'>,
  outputs: readonly { readonly amount: bigint; readonly isCoinbase: boolean; readonly seen: number }[],
): boolean {
  if (paid || credit === null) return true;
  const former = outputs.filter(({ seen, isCoinbase }) => !isCoinbase && seen <= credit.until.getTime());
  const [held, all] = [former, outputs].map((some) => some.reduce((total, { amount }) => total + amount, 0n));
  return (held ?? 0n) >= credit.sats || (credit.whole !== null && (all ?? 0n) >= credit.whole);
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

/** Dust limit: smaller amounts cannot be sent. */
export const DUST_LIMIT = 294n;

interface Standing {
  readonly depth: number;
  readonly needed: number;
  readonly isCovered: boolean;
  /** Whether there is an amount that can be refunded. */
  readonly hasPart: boolean;
  readonly isOver: boolean;
}

/** PAY-09, the first that fits. */
export function computeState(facts: Facts, { depth, needed, isCovered, hasPart, isOver }: Standing): string {
  if (facts.paid && !facts.cancelled && depth < needed) return 'reorged_out';
  if (depth >= needed) return isOver ? 'overpaid' : 'paid';
  if (depth >= 0) return depth === 0 ? 'seen' : 'confirming';
  if (isCovered) return 'late';
  if (hasPart) return 'underpaid';
  return facts.expired ? 'expired' : (facts.lastLeft ?? 'awaiting');
}

export const sumOutputs = (outputs: readonly Output[]): bigint =>
  outputs.reduce((total, { amount }) => total + amount, 0n);

export function computeDepth(
  outputs: readonly Output[],
  due: bigint,
  isFirmly: (some: readonly Output[]) => boolean = () => true,
): number {
  const depths = outputs.map(({ confirmations }) => confirmations).toSorted((a, b) => b - a);
  const filterFrom = (depth: number): readonly Output[] =>
    outputs.filter(({ confirmations }) => confirmations >= depth);
  const firm = depths.find((depth) => sumOutputs(filterFrom(depth)) >= due && isFirmly(filterFrom(depth)));
  return firm ?? (depths.length > 0 && sumOutputs(outputs) >= due ? 0 : -1);
}

/** Whether the final outputs in a ledger cover an order. */
export function isDeepInLedger({ cursor, rows }: LedgerView, order: StoredOrder, facts: Facts): boolean {
  const deep = [...rows.values()].filter(({ recipientId, isLive, isCoinbase, height }) => {
    const confirmations = isLive && height !== null && cursor !== null ? cursor.height - height + 1 : 0;
    return recipientId === order.id && confirmations >= (isCoinbase ? 100 : order.required_confirmations);
  });
  const outputs = deep.map(({ amountSats: amount, isCoinbase, firstSeen }) => {
    return { amount, isCoinbase, seen: firstSeen.getTime() };
  });
  return outputs.reduce((total, { amount }) => total + amount, 0n) >= order.due_sats && isFirm(facts, outputs);
}

/** Sum of the outputs of an order first seen by a time, without coinbase outputs. */
export function sumHeldSince({ rows }: LedgerView, order: StoredOrder, until: Date): bigint {
  const held = [...rows.values()].filter(
    (row) =>
      row.recipientId === order.id && row.isLive && !row.isCoinbase && row.firstSeen.getTime() <= until.getTime(),
  );
  return held.reduce((total, { amountSats }) => total + amountSats, 0n);
}

/**
 * PAY-10: a late payment is accepted if the present rate asks for at most two percent more than
 * the amount due. Credit keeps its value; the rest is dearer if the order was quoted at a higher
 * bitcoin price.
 */
export function mayBeLate(order: StoredOrder, creditedSats: bigint, presentRate: bigint): boolean {
  const rest = ((order.due_sats - creditedSats) * order.rate_cents_per_btc) / presentRate;
  return (creditedSats + rest) * 100n <= order.due_sats * 102n;
}

/** Whether the order was never paid and its payment window is open. */
export const isWaiting = ({ status, paid }: Facts): boolean =>
  !paid && (status === 'pending' || status === 'user_paid');

/** Without its credit the quote is void. Whether it was paid in the block before is unknown. */
export function dropQuote(
  facts: Facts,
  stored: StoredOrder,
  { isDeep, isLatePaid }: { readonly isDeep: boolean; readonly isLatePaid: boolean },
): void {
  if (!isWaiting(facts)) return;
  facts.status = isLatePaid || (isDeep && stored.payment_status === 'paid') ? 'paid' : 'expired';
  facts.paid = facts.status === 'paid';
  facts.expired = facts.paid ? stored.expired_at !== null : true;
}

/** A credit lost in one block may be replaced in the next, whose miner stated an earlier time. */
export function wasLost({ rows }: LedgerView, { credit }: Facts, { id, expired_at: expiredAt }: StoredOrder): boolean {
  if (credit === null || expiredAt === null) return false;
  const left = [...rows.values()].filter(({ recipientId, isLive }) => recipientId === id && !isLive);
  return left.some(({ firstSeen }) => firstSeen.getTime() <= credit.until.getTime());
}

interface Now {
  readonly getDepth: () => number;
  readonly needed: number;
  readonly isLatePaid: boolean;
  /** Whether the payment window has ended. */
  readonly isDue: boolean;
}

/** Paid by deep outputs, undone when they are not deep any more, expired by the clock. */
export function updateFacts(facts: Facts, { getDepth, needed, isLatePaid, isDue }: Now): void {
  const isUnpaid = isWaiting(facts) || facts.status === 'user_paid' || facts.status === 'expired';
  if (isUnpaid && (getDepth() >= needed || isLatePaid)) {
    facts.status = 'paid';
    facts.paid = true;
  } else if (facts.status === 'paid' && getDepth() < needed) facts.status = 'user_paid';
  if (isWaiting(facts) && isDue && getDepth() < 0) {
    facts.status = 'expired';
    facts.expired = true;
  }
}
