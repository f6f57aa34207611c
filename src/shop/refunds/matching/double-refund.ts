/** Detects that a withdrawn refund and its successor were both sent. */
import { subtractSats, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';

/** A refund or a write-off of an order. */
export interface RefundSent {
  readonly covers: RefundCovers;
  readonly state: RefundState;
  readonly debitSats: Sats;
  readonly withdrawnAt: Date | null;
  /** Of a refund of lines: its units count as refunded. */
  readonly holdsUnits?: boolean;
}

/** The money of an order that covers its refunds. */
export interface RefundCover {
  /** Sum of live outputs. */
  readonly receivedSats: Sats;
  /** What a paid order keeps when neither all of it nor units of it are refunded. */
  readonly dueSats: Sats;
  /** Already accepted as a loss. */
  readonly acceptedSats: Sats;
}

export type DoubleRefund =
  /** The successor is not sent yet. Sending it would pay the buyer twice. */
  { readonly kind: 'about-to'; readonly excessSats: Sats } | { readonly kind: 'sent'; readonly excessSats: Sats };

const isSent = ({ state }: RefundSent): boolean => state === 'sent' || state === 'confirmed';

/**
 * Null unless a withdrawn refund was sent and, together with another refund, exceeds what the order
 * received.
 */
export function findDoubleRefund(
  refunds: readonly RefundSent[],
  { receivedSats, dueSats, acceptedSats }: RefundCover,
): DoubleRefund | null {
  const sent = refunds.filter(isSent);
  if (sent.every(({ withdrawnAt }) => withdrawnAt === null)) return null;
  const made = refunds.filter(({ state }) => state === 'made');
  const isWhole = [...sent, ...made].some(({ covers }) => covers === 'whole');
  const sum = (list: readonly RefundSent[]): Sats => sumSats(list.map(({ debitSats }) => debitSats));
  const keptSats = subtractSats(dueSats, sum(refunds.filter(({ holdsUnits = false }) => holdsUnits)));
  const available = isWhole ? receivedSats : subtractSats(receivedSats, keptSats);
  const excess = subtractSats(subtractSats(sum(sent), available), acceptedSats);
  if (sent.length > 1 && excess > 0n) return { kind: 'sent', excessSats: excess };
  const excessIfSent = subtractSats(subtractSats(sum([...sent, ...made]), available), acceptedSats);
  return made.length > 0 && excessIfSent > 0n ? { kind: 'about-to', excessSats: excessIfSent } : null;
}
