import { useEffect, useState } from 'react';
import type { Order } from '../../contract.ts';
import type { Timeline } from '../contract.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';

interface Known {
  readonly id: string;
  readonly moment: string;
  readonly timeline: Timeline;
}

/**
 * Loads the timeline, rate, pay link and left payments of an order.
 * @param changes number of changes that the order does not show, such as of the refund address
 */
export function useTimeline(
  { id, expires_at: expiresAt, payment: { confirmations, state } }: Order,
  changes: number,
): Timeline | null {
  const [known, setKnown] = useState<Known | null>(null);
  // Reload after a requote, a state change, or the confirmation of a late payment.
  const moment = [id, expiresAt, state, state === 'late' && confirmations, changes].join(' ');
  useEffect(() => {
    let isCurrent = true;
    call('GET /orders/{id}/timeline', { params: { id } })
      .then((timeline) => isCurrent && setKnown({ id, moment, timeline }))
      .catch((error: unknown) => logError('the timeline was not loaded', error));
    return () => {
      isCurrent = false;
    };
  }, [id, moment]);
  return known?.id === id ? known.timeline : null;
}
