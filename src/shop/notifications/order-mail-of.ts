import type { Sats } from '../money.ts';

export const orderMailKinds = ['made', 'seen', 'underpaid', 'paid', 'expired', 'late', 'shipped'] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];

/** Something that happened to an order, as its timeline has it. */
export interface OrderHappening {
  readonly kind: string;
  readonly at: Date;
  readonly dueSats: Sats;
  readonly receivedSats: Sats;
}

/**
 * Which mail tells of it, and what makes it another one than the last of its kind; null when none does. A payment that is
 * seen and then confirmed is told of once, a second part of it again.
 */
export function orderMailOf({
  kind,
  at,
  dueSats,
  receivedSats,
}: OrderHappening): { readonly mail: OrderMailKind; readonly occasion: string } | null {
  switch (kind) {
    case 'created':
      // Nothing to pay: the receipt comes at once.
      return dueSats === 0n ? null : { mail: 'made', occasion: 'made' };
    case 'payment_seen':
    case 'confirming':
      return { mail: 'seen', occasion: `seen-${receivedSats}` };
    case 'underpaid':
    case 'part_left':
      return { mail: 'underpaid', occasion: `underpaid-${dueSats}-${receivedSats}` };
    case 'late':
      return { mail: 'late', occasion: `late-${receivedSats}` };
    case 'paid':
      return { mail: 'paid', occasion: 'paid' };
    case 'shipped':
      return { mail: 'shipped', occasion: 'shipped' };
    case 'expired':
      // An order that is quoted again can expire again.
      return { mail: 'expired', occasion: `expired-${at.getTime()}` };
    default:
      return null;
  }
}
