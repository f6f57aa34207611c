import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import { ORDER_EVENTS } from '#src/shop/orders/order-events.ts';
import type { StoredEventKind } from '#src/shop/orders/order-events.ts';
import type { EventType } from './event-type.ts';

/** The events that webhooks send for each event of an order. */
const TYPES: Readonly<Record<StoredEventKind, { readonly webhooks: readonly EventType[] }>> = ORDER_EVENTS;

/** @param status of the order now */
export function selectEventTypes(kind: StoredEventKind, status: PaymentStatus): readonly EventType[] {
  const types = TYPES[kind].webhooks;
  return types.includes('refund.confirmed') && status === 'refunded' ? [...types, 'order.refunded'] : types;
}

/** Whether events of this kind may send something. */
export const isSent = (kind: StoredEventKind): boolean => TYPES[kind].webhooks.length > 0;
