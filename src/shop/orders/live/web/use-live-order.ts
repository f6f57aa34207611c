import { useEffect, useRef, useState } from 'react';
import type { Order } from '../../contract.ts';
import { call } from '#src/storefront/call.ts';
import { subscribeToMessages, useIsLive, subscribeToConnection } from '#src/storefront/live-channel.ts';
import { loadCheckout, session } from '#src/storefront/session/session.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { useEventCallback } from '#src/ui/use-event-callback.ts';
import { isOpen } from '../../web/read-order.ts';
import { choosePollInterval } from './look-every.ts';
import { usePolling } from '#src/ui/use-polling.ts';

/** The order as the shop has it now: the one that is shown, even when it is not the one that matters any more. */
async function lookAt(shown: Order): Promise<Order | null> {
  const { order } = await call('GET /orders');
  if (order) return order;
  const { order: same } = await call('GET /orders/{id}', { params: { id: shown.id } });
  return same.payment_status === 'cancelled' ? null : same;
}

const isAbout = (data: unknown, orderId: string): boolean =>
  typeof data === 'object' && data !== null && 'orderId' in data && data.orderId === orderId;

/** WS-03: looks as soon as the shop says that something has happened to an order; null: there is none to hear of. */
export function useLivePayment(orderId: string | null, act: () => void): void {
  const look = useEventCallback(act);
  useEffect(() => {
    if (orderId === null) return undefined;
    return subscribeToMessages(({ type, data }) => {
      if (type === 'payment_update' && isAbout(data, orderId)) look();
    });
  }, [orderId, look]);
}

/** Looks as soon as the live connection stands, and whenever it stands again: what was said before went unheard. */
export function useLiveBeginning(isWanted: boolean, act: () => void): void {
  const look = useEventCallback(act);
  useEffect(() => {
    if (!isWanted) return undefined;
    return subscribeToConnection((isLive) => {
      if (isLive) look();
    });
  }, [isWanted, look]);
}

/**
 * Keeps the order that is shown up to date, by the live connection or, without it, by asking while the page is in front;
 * and tells when it becomes paid.
 * @returns whether the shop answers.
 */
export function useLiveOrder(order: Order): boolean {
  const [isReached, setIsReached] = useState(true);
  const wasOpen = useRef(isOpen(order));
  const isUnderWay = useRef(false);
  const isAskedAgain = useRef(false);

  useEffect(() => {
    if (wasOpen.current && order.payment_status === 'paid') showToast('success', 'Payment confirmed!');
    wasOpen.current = isOpen(order);
  }, [order]);

  const look = useEventCallback(() => {
    // What happens meanwhile may be newer than the answer that is under way: it is asked once more.
    isAskedAgain.current = isUnderWay.current;
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const ask = async (): Promise<void> => {
      do {
        isAskedAgain.current = false;
        const shown = session.get().order;
        if (!shown) break;
        try {
          const fresh = await lookAt(shown);
          setIsReached(true);
          // What the buyer did meanwhile is newer than this answer.
          if (session.get().order === shown && JSON.stringify(fresh) !== JSON.stringify(shown)) {
            // What was ordered is in the cart again.
            if (fresh === null) await loadCheckout();
            else session.update({ order: fresh });
          }
        } catch {
          // It is asked again in a moment, and the page says that it waits.
          setIsReached(false);
        }
      } while (isAskedAgain.current);
      isUnderWay.current = false;
    };
    void ask();
  });
  const isLive = useIsLive();
  const everyMs = choosePollInterval(order.payment_status);
  useLivePayment(everyMs === null ? null : order.id, look);
  // What the live connection tells need not be asked for.
  usePolling(isLive && isReached ? null : everyMs, look);
  return isReached;
}
