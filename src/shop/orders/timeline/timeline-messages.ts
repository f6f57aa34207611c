import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { ORDER_EVENTS } from '../order-events.ts';
import type { OrderEventKind, StoredEventKind } from '../order-events.ts';

/** Messages of a late payment, by the event that closed the order before. */
const LATE_MESSAGES = {
  cancelled: 'Payment arrived after the order was cancelled',
  refund_made: 'Payment arrived after the refund was made',
  written_off: 'Payment arrived after the order was closed',
} as const satisfies Partial<Record<OrderEventKind, string>>;

const isClosing = (kind: StoredEventKind): kind is keyof typeof LATE_MESSAGES => kind in LATE_MESSAGES;

/** The messages of an order's events; oldest first, as the kinds are. */
export function describeEvents(kinds: readonly StoredEventKind[]): readonly string[] {
  return kinds.map((kind, index) => {
    const closing = kind === 'late' ? kinds.slice(0, index).findLast(isClosing) : undefined;
    return closing === undefined ? ORDER_EVENTS[kind].text : LATE_MESSAGES[closing];
  });
}

/** Reads an amount in satoshi from an event's details; null if there is none. */
export function readAmount(details: Readonly<Record<string, unknown>>, key: string): Sats | null {
  const amount = details[key];
  return typeof amount === 'string' && /^\d{1,18}$/.test(amount) ? sats(BigInt(amount)) : null;
}
