import type { FulfilmentStatus, PaymentStatus } from './kinds.ts';
import type { StoredEventKind } from './order-events.ts';

/** Events that make an order paid. */
export const PAYMENTS: ReadonlySet<StoredEventKind> = new Set(['paid', 'paid_again', 'paid_anew', 'settled']);

interface OrderToFollow {
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
}

export interface ProgressStep {
  readonly name: 'Ordered' | 'Paid' | 'Partly shipped' | 'Shipped' | 'Delivered';
  /** `next`: the first one that has not happened. */
  readonly state: 'done' | 'next' | 'ahead';
  /** When it happened, ISO 8601; null if it has not, or nobody recorded when. */
  readonly at: string | null;
}

/**
 * Steps of an order until its delivery; none once it has ended in another way. A step is done only while that is true:
 * a payment that lost its confirmations is not, even of a parcel that was shipped.
 * @param events oldest first
 */
export function listProgress(
  { payment_status: status, fulfilment_status: fulfilment }: OrderToFollow,
  events: readonly { readonly kind: StoredEventKind; readonly at: string }[],
): readonly ProgressStep[] {
  if (status === 'expired' || status === 'cancelled' || status === 'refunded') return [];
  const findLast = (...kinds: readonly StoredEventKind[]): string | null =>
    events.findLast(({ kind }) => kinds.includes(kind))?.at ?? null;
  const isDelivered = fulfilment === 'delivered';
  const isShipped = isDelivered || fulfilment === 'shipped';
  const steps: readonly (Pick<ProgressStep, 'name' | 'at'> & { readonly isDone: boolean })[] = [
    { name: 'Ordered', isDone: true, at: events.find(({ kind }) => kind === 'created')?.at ?? null },
    { name: 'Paid', isDone: status === 'paid', at: findLast(...PAYMENTS) },
    fulfilment === 'partly_shipped'
      ? { name: 'Partly shipped', isDone: false, at: findLast('partly_shipped') }
      : { name: 'Shipped', isDone: isShipped, at: findLast('shipped') },
    { name: 'Delivered', isDone: isDelivered, at: findLast('delivered') },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  const readState = (isDone: boolean, index: number): ProgressStep['state'] => {
    if (isDone) return 'done';
    return index === next ? 'next' : 'ahead';
  };
  return steps.map(({ name, isDone, at }, index) => ({
    name,
    state: readState(isDone, index),
    at: isDone || name === 'Partly shipped' ? at : null,
  }));
}
