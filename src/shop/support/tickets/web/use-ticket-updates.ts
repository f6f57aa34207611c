import { useEffect, useState } from 'react';
import type { Ticket, TicketStatus } from '../contract.ts';
import { useIsLive } from '#src/storefront/live-channel.ts';
import { isPageLoading, reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { followTicket } from './follow-ticket.ts';
import type { TicketEvent } from './follow-ticket.ts';

/** While the live connection does not report every open ticket. */
const POLL_MS = 10_000;
/** Closed tickets that are followed, newest first: they may be reopened. A connection joins at most twenty. */
const FOLLOWED_CLOSED = 5;

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
  const [updates, setUpdates] = useState<TicketUpdates>({ unread: {}, statuses: {} });
  const openIds = joinIds(tickets.filter(({ status }) => status !== 'closed'));
  const closedIds = joinIds(tickets.filter(({ status }) => status === 'closed').slice(0, FOLLOWED_CLOSED));
  const [joined, setJoined] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const stops = splitIds(closedIds).map((id) =>
      followTicket(id, ({ kind }) => {
        if (kind === 'in_progress') void reloadPage({ isAutomatic: true });
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [closedIds]);
  useEffect(() => {
    const follow = (id: string) => {
      let hasJoined = false;
      const setHasJoined = (has: boolean): void => {
        hasJoined = has;
        setJoined((old) => new Set(has ? [...old, id] : [...old].filter((other) => other !== id)));
      };
      const stop = followTicket(id, (event) => {
        // Changes from before the connection were not delivered.
        if (event.kind === 'joined' && !hasJoined) void reloadPage({ isAutomatic: true });
        if (event.kind === 'joined' || event.kind === 'cut') setHasJoined(event.kind === 'joined');
        const change = createChange(id, event);
        if (change === null) return;
        setUpdates(change);
        // A load in progress may have read the list before this change.
        if (isPageLoading()) void reloadPage({ isAutomatic: true });
      });
      return () => {
        stop();
        setHasJoined(false);
      };
    };
    const stops = splitIds(openIds).map(follow);
    return () => {
      for (const stop of stops) stop();
    };
  }, [openIds]);
  const isLive = useIsLive() && splitIds(openIds).every((id) => joined.has(id));
  useReloadEvery(isLive || tickets.length === 0 ? null : POLL_MS);
  // Loaded lists include what was received before.
  const [loadedBefore, setLoadedBefore] = useState(loadedUnread);
  if (loadedBefore !== loadedUnread) {
    setLoadedBefore(loadedUnread);
    setUpdates({ unread: {}, statuses: {} });
  }
  const ids = new Set([...Object.keys(loadedUnread), ...Object.keys(updates.unread)]);
  const counted = [...ids].map((id) => [id, (loadedUnread[id] ?? 0) + (updates.unread[id] ?? 0)] as const);
  return { statuses: updates.statuses, unread: Object.fromEntries(counted.filter(([id]) => id !== selectedId)) };
}

const joinIds = (tickets: readonly Ticket[]): string => tickets.map(({ id }) => id).join(' ');
const splitIds = (ids: string): readonly string[] => ids.split(' ').filter(Boolean);

/** What an event changes in the list; null: nothing. */
function createChange(id: string, event: TicketEvent): ((old: TicketUpdates) => TicketUpdates) | null {
  if (event.kind === 'closed' || event.kind === 'in_progress') {
    const { kind: status } = event;
    return (old) => ({ ...old, statuses: { ...old.statuses, [id]: status } });
  }
  if (event.kind !== 'message' || event.message.sender_type !== 'support') return null;
  return (old) => ({ ...old, unread: { ...old.unread, [id]: (old.unread[id] ?? 0) + 1 } });
}
