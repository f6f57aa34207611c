import { useEffect, useState } from 'react';
import type { Order } from '../../contract.ts';
import type { Timeline } from '../contract.ts';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/browser/log-error.ts';

interface Known {
  readonly id: string;
  readonly moment: string;
  readonly timeline: Timeline;
}

/** What the page came with. */
export interface LoadedTimeline {
  readonly order: Order;
  readonly timeline: Timeline;
}

/** Changes with a requote, the state, and the confirmation of a late payment. */
const readMoment = ({ id, expires_at: expiresAt, payment: { confirmations, state } }: Order): string =>
  [id, expiresAt, state, isLateState(state) && confirmations].join(' ');

/**
 * Loads the timeline, rate, pay link and left payments of an order.
 * @param changes number of changes that the order does not show, such as of the refund address
 * @param loaded used while the order is the same as then
 */
export function useTimeline(order: Order, changes: number, loaded: LoadedTimeline | null): Timeline | null {
  const { id } = order;
  const moment = `${readMoment(order)} ${changes}`;
  const [known, setKnown] = useState<Known | null>(
    loaded && { id: loaded.order.id, moment: `${readMoment(loaded.order)} 0`, timeline: loaded.timeline },
  );
  const isKnown = known?.moment === moment;
  useEffect(() => {
    if (isKnown) return undefined;
    let isCurrent = true;
    call('GET /orders/{id}/timeline', { params: { id } })
      .then((timeline) => isCurrent && setKnown({ id, moment, timeline }))
      .catch((error: unknown) => logError('the timeline was not loaded', error));
    return () => {
      isCurrent = false;
    };
  }, [id, moment, isKnown]);
  return known?.id === id ? known.timeline : null;
}
