/** Tickets that the page follows by the live connection: each is joined once, and again after every new connection. */
import type { Message } from '../contract.ts';
import { subscribeToMessages, sendLiveMessage, subscribeToConnection } from '#src/storefront/live-channel.ts';
import type { LiveMessage } from '#src/storefront/live-channel.ts';

/** What happens to a ticket: it is followed from here on, or no longer; something was written; … */
type TicketEvent =
  | { readonly kind: 'joined' | 'cut' | 'closed' | 'typing' }
  | { readonly kind: 'message'; readonly message: Message };
type Listener = (news: TicketEvent) => void;

const followed = new Map<string, Set<Listener>>();
let stop: (() => void) | null = null;

/** Answers how to stop. */
export function followTicket(ticketId: string, listener: Listener): () => void {
  const own = followed.get(ticketId) ?? new Set();
  followed.set(ticketId, own.add(listener));
  stop ??= startListening();
  // One who joins later is answered as well: from then on nothing is missed.
  sendLiveMessage({ type: 'join_ticket', ticketId });
  return () => {
    own.delete(listener);
    if (own.size > 0) return;
    followed.delete(ticketId);
    sendLiveMessage({ type: 'leave_ticket', ticketId });
    if (followed.size > 0) return;
    stop?.();
    stop = null;
  };
}

export const sendTyping = (ticketId: string): void => void sendLiveMessage({ type: 'typing', ticketId });

function startListening(): () => void {
  const stops = [
    subscribeToConnection((isLive) => {
      for (const [ticketId, listeners] of followed) {
        if (isLive) sendLiveMessage({ type: 'join_ticket', ticketId });
        else for (const listener of listeners) listener({ kind: 'cut' });
      }
    }),
    subscribeToMessages((message) => {
      const news = parseEvent(message);
      for (const listener of (news && followed.get(news.ticketId)) ?? []) if (news) listener(news.news);
    }),
  ];
  return () => {
    for (const end of stops) end();
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function parseEvent({ type, data }: LiveMessage): { ticketId: string; news: TicketEvent } | null {
  if (!isRecord(data)) return null;
  if (type === 'new_message' && isMessage(data)) {
    return { ticketId: data.ticket_id, news: { kind: 'message', message: data } };
  }
  const { ticketId } = data;
  if (typeof ticketId !== 'string') return null;
  if (type === 'joined_ticket') return { ticketId, news: { kind: 'joined' } };
  if (type === 'ticket_closed') return { ticketId, news: { kind: 'closed' } };
  return type === 'typing' ? { ticketId, news: { kind: 'typing' } } : null;
}

function isMessage(data: object): data is Message {
  if (!('sender_type' in data) || (data.sender_type !== 'user' && data.sender_type !== 'support')) return false;
  return ['id', 'ticket_id', 'message', 'created_at'].every(
    (key) => typeof Object.getOwnPropertyDescriptor(data, key)?.value === 'string',
  );
}
