import { useEffect, useRef, useState } from 'react';
import type { Order } from '../contract.ts';
import { call } from '#src/storefront/call.ts';
import { subscribeToMessages, useIsLive, subscribeToConnection } from '#src/storefront/live-channel.ts';
import { loadCheckout, session } from '#src/storefront/session/session.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { isOpen } from './read-order.ts';
import { choosePollInterval } from './poll-interval.ts';
import { usePolling } from '#src/ui/page/use-polling.ts';

/** Loads the shown order, even if it is no longer the current one. */
async function fetchOrder(shown: Order): Promise<Order | null> {
  const { order } = await call('GET /orders');
  if (order) return order;
  const { order: same } = await call('GET /orders/{id}', { params: { id: shown.id } });
  return same.payment_status === 'cancelled' ? null : same;
}

const isAbout = (data: unknown, orderId: string): boolean =>
  typeof data === 'object' && data !== null && 'orderId' in data && data.orderId === orderId;

/** WS-03: runs `act` when the shop announces a change of the order; null: none. */
export function useLivePayment(orderId: string | null, act: () => void): void {
  const onChange = useEventCallback(act);
  useEffect(() => {
    if (orderId === null) return undefined;
    return subscribeToMessages(({ type, data }) => {
      if (type === 'payment_update' && isAbout(data, orderId)) onChange();
    });
  }, [orderId, onChange]);
}

/** Runs `act` whenever the live connection opens, since changes before were missed. */
export function useLiveBeginning(isWanted: boolean, act: () => void): void {
  const onOpen = useEventCallback(act);
  useEffect(() => {
    if (!isWanted) return undefined;
    return subscribeToConnection((isLive) => {
      if (isLive) onOpen();
    });
  }, [isWanted, onOpen]);
}

/**
 * Updates the shown order over the live channel, or by polling while the page is visible. Updates
 * the session when the order becomes paid.
 * @returns whether the shop responds
 */
export function useLiveOrder(order: Order): boolean {
  const [isReached, setIsReached] = useState(true);
  const wasOpen = useRef(isOpen(order));
  const isUnderWay = useRef(false);
  const needsReload = useRef(false);

  useEffect(() => {
    if (wasOpen.current && order.payment_status === 'paid') showToast('success', 'Payment confirmed!');
    wasOpen.current = isOpen(order);
  }, [order]);

  const reload = useEventCallback(() => {
    // A change during a request may be newer than its response: load again.
    needsReload.current = isUnderWay.current;
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const loadUntilCurrent = async (): Promise<void> => {
      do {
        needsReload.current = false;
        const shown = session.get().order;
        if (!shown) break;
        try {
          const fresh = await fetchOrder(shown);
          setIsReached(true);
          // A change by the buyer is newer than this response.
          if (session.get().order === shown && JSON.stringify(fresh) !== JSON.stringify(shown)) {
            // A cancelled order returns its items to the cart.
            if (fresh === null) await loadCheckout();
            else session.update({ order: fresh });
          }
        } catch {
          // The poll retries; the page shows that the shop is unreachable.
          setIsReached(false);
        }
      } while (needsReload.current);
      isUnderWay.current = false;
    };
    void loadUntilCurrent();
  });
  const isLive = useIsLive();
  const everyMs = choosePollInterval(order.payment_status);
  useLivePayment(everyMs === null ? null : order.id, reload);
  useLiveBeginning(everyMs !== null, reload);
  // No polling while the live channel is open.
  usePolling(isLive && isReached ? null : everyMs, reload);
  return isReached;
}
