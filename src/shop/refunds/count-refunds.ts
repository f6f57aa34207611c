/** Which part of each refund counts, in dollars: together never more than the buyer paid. */
import { cents, NO_CENTS, NO_SATS, sats, sumSats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';

export interface RefundToCount {
  readonly id: string;
  readonly covers: RefundCovers;
  readonly state: RefundState;
  /** Of a refund of lines: its units count as refunded. */
  readonly holdsUnits: boolean;
  /** Dollars of a sale that it returns, and the satoshis for them; null: of no sale. */
  readonly valueCents: Cents | null;
  readonly valueSats: Sats | null;
  /** What counted so far; null: nothing. */
  readonly countedCents: Cents | null;
}

interface Counted {
  readonly id: string;
  /** Null: nothing. */
  readonly cents: Cents | null;
  readonly sats: Sats | null;
}

/** Refunds that count go first, so that none loses what it has; a refund of the whole takes what is left. */
function rank({ countedCents, covers, holdsUnits }: RefundToCount): number {
  if (covers === 'whole') return 2 + Number(countedCents === null);
  return covers === 'lines' ? Number(!holdsUnits) : Number(countedCents === null);
}

/**
 * A withdrawn refund that was sent counts only if its units or its dollars are left: otherwise its buyer was paid twice.
 * @param refunds of one order, oldest first
 */
export function countRefunds(refunds: readonly RefundToCount[], paidCents: Cents): readonly Counted[] {
  const counted = new Map<string, Counted>();
  let left: bigint = paidCents;
  for (const refund of refunds.toSorted((a, b) => rank(a) - rank(b))) {
    const { countedCents, covers, holdsUnits, id, state, valueCents, valueSats } = refund;
    counted.set(id, { id, cents: null, sats: null });
    if (state === 'withdrawn' || valueCents === null || valueSats === null) continue;
    if (covers === 'lines' && !holdsUnits) continue;
    if (covers === 'amount' && countedCents === null && valueCents > left) continue;
    const taken = valueCents < left ? valueCents : left;
    if (covers === 'whole' && taken === 0n) continue;
    left -= taken;
    counted.set(id, {
      id,
      cents: cents(taken),
      sats: taken === valueCents ? valueSats : sats((valueSats * taken) / valueCents),
    });
  }
  return refunds.flatMap(({ id }) => counted.get(id) ?? []);
}

export interface CountedTotals {
  /** Dollars that refunds take, created or sent. */
  readonly refundCents: Cents;
  /** The confirmed ones of them. */
  readonly refundedCents: Cents;
  readonly refundedSats: Sats;
}

/** Sums for the order row. */
export function sumCounted(
  refunds: readonly Pick<RefundToCount, 'id' | 'state'>[],
  counted: readonly Counted[],
): CountedTotals {
  const confirmed = new Set(refunds.filter(({ state }) => state === 'confirmed').map(({ id }) => id));
  const sum = (list: readonly Counted[]): Cents => cents(list.reduce((all, one) => all + (one.cents ?? NO_CENTS), 0n));
  const ofConfirmed = counted.filter(({ id }) => confirmed.has(id));
  return {
    refundCents: sum(counted),
    refundedCents: sum(ofConfirmed),
    refundedSats: sumSats(ofConfirmed.map((one) => one.sats ?? NO_SATS)),
  };
}
