/** Tickets followed by the live connection. */
import type { Message } from '../contract.ts';
import { subscribeToMessages, sendLiveMessage, subscribeToConnection } from '#src/storefront/live-channel.ts';
import type { LiveMessage } from '#src/storefront/live-channel.ts';

/** Events of a followed ticket. */
export type TicketEvent =
  | { readonly kind: 'joined' | 'cut' | 'in_progress' | 'closed' | 'typing' }
  | { readonly kind: 'message'; readonly message: Message };
type Listener = (event: TicketEvent) => void;

const followed = new Map<string, Set<Listener>>();
let stop: (() => void) | null = null;

/** Returns a function that stops following. */
export function followTicket(ticketId: string, listener: Listener): () => void {
  const listeners = followed.get(ticketId) ?? new Set();
  followed.set(ticketId, listeners.add(listener));
  stop ??= startListening();
  // Sent for each listener, since every one needs the `joined` event to know that nothing is
  // missed.
  sendLiveMessage({ type: 'join_ticket', ticketId });
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
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
      const parsed = parseEvent(message);
      for (const listener of (parsed && followed.get(parsed.ticketId)) ?? []) if (parsed) listener(parsed.event);
    }),
  ];
  return () => {
    for (const end of stops) end();
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function parseEvent({ type, data }: LiveMessage): { ticketId: string; event: TicketEvent } | null {
  if (!isRecord(data)) return null;
  if (type === 'new_message' && isMessage(data)) {
    return { ticketId: data.ticket_id, event: { kind: 'message', message: data } };
  }
  const { ticketId } = data;
  if (typeof ticketId !== 'string') return null;
  if (type === 'joined_ticket') return { ticketId, event: { kind: 'joined' } };
  if (type === 'ticket_in_progress') return { ticketId, event: { kind: 'in_progress' } };
  if (type === 'ticket_closed') return { ticketId, event: { kind: 'closed' } };
  return type === 'typing' ? { ticketId, event: { kind: 'typing' } } : null;
}

function isMessage(data: object): data is Message {
  if (!('sender_type' in data) || (data.sender_type !== 'user' && data.sender_type !== 'support')) return false;
  return ['id', 'ticket_id', 'message', 'created_at'].every(
    (key) => typeof Object.getOwnPropertyDescriptor(data, key)?.value === 'string',
  );
}
