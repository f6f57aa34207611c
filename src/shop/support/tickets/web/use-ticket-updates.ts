import { useEffect, useState } from 'react';
import type { Ticket, TicketStatus } from '../contract.ts';
import { isPageLoading, reloadPage } from '#src/storefront/reload-page.ts';
import { followTicket } from './follow-ticket.ts';

/** Changes to a list of tickets since it was loaded: unread messages and statuses. */
export interface TicketUpdates {
  readonly unread: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, TicketStatus>>;
}

/** @param selectedId ticket whose messages are visible, so none of them is unread */
export function useTicketUpdates(
  tickets: readonly Ticket[],
  loadedUnread: Readonly<Record<string, number>>,
  selectedId: string | null,
): TicketUpdates {
  const [updates, setHeard] = useState<TicketUpdates>({ unread: {}, statuses: {} });
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
          if (event.kind === 'closed' || event.kind === 'in_progress') {
            const { kind: status } = event;
            setHeard((old) => ({ ...old, statuses: { ...old.statuses, [id]: status } }));
          }
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
  return { statuses: updates.statuses, unread: Object.fromEntries(counted.filter(([id]) => id !== selectedId)) };
}
