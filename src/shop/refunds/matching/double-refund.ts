/** A withdrawn refund that was sent all the same, beside the one that took its place. */
import { subtractSats, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { RefundCovers } from '#src/shop/orders/kinds.ts';

/** A refund or a write-off of an order. */
export interface RefundSent {
  readonly covers: RefundCovers;
  readonly state: string;
  readonly debitSats: Sats;
  readonly withdrawnAt: Date | null;
}

/** An order as far as it bears its refunds. */
export interface RefundCover {
  /** Live outputs. */
  readonly receivedSats: Sats;
  /** What a paid order keeps when only its surplus goes back. */
  readonly dueSats: Sats;
  /** What was accepted as a loss already. */
  readonly acceptedSats: Sats;
}

export type DoubleRefund =
  /** The next refund waits to be sent: sent now, the money would go back twice. */
  { readonly kind: 'about-to'; readonly excessSats: Sats } | { readonly kind: 'sent'; readonly excessSats: Sats };

const isSent = ({ state }: RefundSent): boolean => state === 'sent' || state === 'confirmed';

/** Null unless a withdrawn refund was sent and, with another one of the order, takes more than there is. */
export function findDoubleRefund(
  refunds: readonly RefundSent[],
  { receivedSats, dueSats, acceptedSats }: RefundCover,
): DoubleRefund | null {
  const sent = refunds.filter(isSent);
  if (sent.every(({ withdrawnAt }) => withdrawnAt === null)) return null;
  const made = refunds.filter(({ state }) => state === 'made');
  const isWhole = [...sent, ...made].some(({ covers }) => covers === 'whole');
  const there = isWhole ? receivedSats : subtractSats(receivedSats, dueSats);
  const sum = (some: readonly RefundSent[]): Sats => sumSats(some.map(({ debitSats }) => debitSats));
  const excess = subtractSats(subtractSats(sum(sent), there), acceptedSats);
  if (sent.length > 1 && excess > 0n) return { kind: 'sent', excessSats: excess };
  const coming = subtractSats(subtractSats(sum([...sent, ...made]), there), acceptedSats);
  return made.length > 0 && coming > 0n ? { kind: 'about-to', excessSats: coming } : null;
}
