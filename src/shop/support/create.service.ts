/** Creates the services of the support slice. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, SyncEvent } from '#src/platform/process/events.ts';
import { LiveTickets } from './chat/service.ts';
import type { LiveTicketsOptions } from './chat/service.ts';
import { Contact } from './contact/service.ts';
import type { ContactOptions } from './contact/service.ts';
import { Tickets } from './tickets/service.ts';
import type { TicketsOptions } from './tickets/service.ts';

/** Everything from outside the slice that one of its services needs. */
export type SupportSliceOptions = Omit<
  TicketsOptions & ContactOptions & LiveTicketsOptions,
  'tickets' | 'onCreated' | 'onChanged' | 'onReceived'
>;

export interface SupportSlice {
  readonly tickets: Tickets;
  readonly contact: Contact;
  readonly liveTickets: LiveTickets;
  /** In the transaction that creates the ticket. */
  readonly ticketCreated: AsyncEvent<[tx: Db, ticketId: string]>;
  /** In the transaction that stores the message. */
  readonly messageReceived: AsyncEvent<[tx: Db, messageId: string]>;
}

export function createSupport(options: SupportSliceOptions): SupportSlice {
  const ticketCreated: SupportSlice['ticketCreated'] = new AsyncEvent();
  const messageReceived: SupportSlice['messageReceived'] = new AsyncEvent();
  const ticketChanged = new SyncEvent<[ticketId: string]>();
  const contact = new Contact({ ...options, onReceived: messageReceived.emit });
  const tickets = new Tickets({ ...options, onCreated: ticketCreated.emit, onChanged: ticketChanged.emit });
  const liveTickets = new LiveTickets({ ...options, tickets });
  ticketChanged.on((ticketId) => liveTickets.publishChange(ticketId));
  return { tickets, contact, liveTickets, ticketCreated, messageReceived };
}
