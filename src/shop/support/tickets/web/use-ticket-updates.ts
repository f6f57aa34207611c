import { useEffect, useState } from 'react';
import type { Ticket } from '../contract.ts';
import { useReload } from '#src/storefront/use-reload.ts';
import { useEventCallback } from '#src/ui/use-event-callback.ts';
import { followTicket } from './follow-ticket.ts';

/** How a list's tickets change while it is looked at: what is unread, and which were closed. */
export interface TicketUpdates {
  readonly unread: Readonly<Record<string, number>>;
  readonly closed: ReadonlySet<string>;
}

/** @param selectedId its messages are in view: nothing of it is unread. */
export function useTicketUpdates(
  tickets: readonly Ticket[],
  loadedUnread: Readonly<Record<string, number>>,
  selectedId: string | null,
): TicketUpdates {
  const [heard, setHeard] = useState<TicketUpdates>({ unread: {}, closed: new Set() });
  // Two at most are not closed; in the others nothing happens any more.
  const openIds = tickets.flatMap(({ id, status }) => (status === 'closed' ? [] : [id])).join(' ');
  const { reload, isLoading } = useReload();
  // A load in progress may have read the counts before this message.
  const onMessage = useEventCallback(() => {
    if (isLoading()) reload();
  });
  useEffect(() => {
    const joined = new Set<string>();
    const stops = openIds
      .split(' ')
      .filter(Boolean)
      .map((id) =>
        followTicket(id, (news) => {
          // Messages from before the connection were not delivered.
          if (news.kind === 'joined' && !joined.has(id)) reload();
          if (news.kind === 'joined') joined.add(id);
          if (news.kind === 'cut') joined.delete(id);
          if (news.kind === 'closed') setHeard((old) => ({ ...old, closed: new Set([...old.closed, id]) }));
          if (news.kind !== 'message' || news.message.sender_type !== 'support') return;
          setHeard((old) => ({ ...old, unread: { ...old.unread, [id]: (old.unread[id] ?? 0) + 1 } }));
          onMessage();
        }),
      );
    return () => {
      for (const stop of stops) stop();
    };
  }, [openIds, reload, onMessage]);
  // What was loaded anew counts what was heard before.
  const [loadedBefore, setLoadedBefore] = useState(loadedUnread);
  if (loadedBefore !== loadedUnread) {
    setLoadedBefore(loadedUnread);
    setHeard((old) => ({ ...old, unread: {} }));
  }
  const ids = new Set([...Object.keys(loadedUnread), ...Object.keys(heard.unread)]);
  const counted = [...ids].map((id) => [id, (loadedUnread[id] ?? 0) + (heard.unread[id] ?? 0)] as const);
  return { closed: heard.closed, unread: Object.fromEntries(counted.filter(([id]) => id !== selectedId)) };
}
