import { useEffect, useState } from 'react';
import type { Ticket } from '../contract.ts';
import { isPageLoading, reloadPage } from '#src/storefront/reload-page.ts';
import { followTicket } from './follow-ticket.ts';

/** Changes to a list of tickets since it was loaded: unread messages and closed tickets. */
export interface TicketUpdates {
  readonly unread: Readonly<Record<string, number>>;
  readonly closed: ReadonlySet<string>;
}

/** @param selectedId ticket whose messages are visible, so none of them is unread */
export function useTicketUpdates(
  tickets: readonly Ticket[],
  loadedUnread: Readonly<Record<string, number>>,
  selectedId: string | null,
): TicketUpdates {
  const [updates, setHeard] = useState<TicketUpdates>({ unread: {}, closed: new Set() });
  // At most two tickets are open; closed ones do not change.
  const openIds = tickets.flatMap(({ id, status }) => (status === 'closed' ? [] : [id])).join(' ');
  useEffect(() => {
    const joined = new Set<string>();
    const stops = openIds
      .split(' ')
      .filter(Boolean)
      .map((id) =>
        followTicket(id, (event) => {
          // Messages from before the connection were not delivered.
          if (event.kind === 'joined' && !joined.has(id)) void reloadPage({ isAutomatic: true });
          if (event.kind === 'joined') joined.add(id);
          if (event.kind === 'cut') joined.delete(id);
          if (event.kind === 'closed') setHeard((old) => ({ ...old, closed: new Set([...old.closed, id]) }));
          if (event.kind !== 'message' || event.message.sender_type !== 'support') return;
          setHeard((old) => ({ ...old, unread: { ...old.unread, [id]: (old.unread[id] ?? 0) + 1 } }));
          // A load in progress may have read the counts before this message.
          if (isPageLoading()) void reloadPage({ isAutomatic: true });
        }),
      );
    return () => {
      for (const stop of stops) stop();
    };
  }, [openIds]);
  // Loaded counts include the messages received before.
  const [loadedBefore, setLoadedBefore] = useState(loadedUnread);
  if (loadedBefore !== loadedUnread) {
    setLoadedBefore(loadedUnread);
    setHeard((old) => ({ ...old, unread: {} }));
  }
  const ids = new Set([...Object.keys(loadedUnread), ...Object.keys(updates.unread)]);
  const counted = [...ids].map((id) => [id, (loadedUnread[id] ?? 0) + (updates.unread[id] ?? 0)] as const);
  return { closed: updates.closed, unread: Object.fromEntries(counted.filter(([id]) => id !== selectedId)) };
}
