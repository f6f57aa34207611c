/** Creates the services of the support slice. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, SyncEvent } from '#src/platform/process/events.ts';
import { LiveTickets } from './chat/service.ts';
import type { LiveTicketsOptions } from './chat/service.ts';
import { ContactInbox } from './contact/inbox.service.ts';
import type { InboxOptions } from './contact/inbox.service.ts';
import { Contact } from './contact/service.ts';
import type { ContactOptions } from './contact/service.ts';
import { CannedAnswers } from './canned-answers/service.ts';
import { TicketDesk } from './tickets/desk.service.ts';
import type { TicketDeskOptions } from './tickets/desk.service.ts';
import { Tickets } from './tickets/service.ts';
import type { TicketsOptions } from './tickets/service.ts';

/** Everything from outside the slice that one of its services needs. */
export type SupportSliceOptions = Omit<
  TicketsOptions & TicketDeskOptions & ContactOptions & InboxOptions & LiveTicketsOptions,
  | 'tickets'
  | 'onCreated'
  | 'onWritten'
  | 'onClosed'
  | 'onReopened'
  | 'onChanged'
  | 'onSeen'
  | 'onReceived'
  | 'onDeleted'
>;

export interface SupportSlice {
  readonly tickets: Tickets;
  readonly ticketDesk: TicketDesk;
  readonly cannedAnswers: CannedAnswers;
  readonly contact: Contact;
  readonly inbox: ContactInbox;
  readonly liveTickets: LiveTickets;
  /** In the transaction that creates the ticket. */
  readonly ticketCreated: AsyncEvent<[tx: Db, ticketId: string]>;
  /** In the transaction that stores a message of a ticket. */
  readonly ticketWritten: AsyncEvent<Parameters<TicketsOptions['onWritten']>>;
  /** In the transaction that closes the ticket. */
  readonly ticketClosed: AsyncEvent<[tx: Db, ticketId: string]>;
  /** In the transaction that reopens the ticket. */
  readonly ticketReopened: AsyncEvent<[tx: Db, ticketId: string]>;
  /** After staff have seen a ticket for the first time. */
  readonly ticketSeen: SyncEvent<[]>;
  /** In the transaction that stores the message. */
  readonly messageReceived: AsyncEvent<[tx: Db, messageId: string]>;
  /** In the transaction in which staff delete the message. */
  readonly messageDeleted: AsyncEvent<[tx: Db, messageId: string]>;
}

export function createSupport(options: SupportSliceOptions): SupportSlice {
  const ticketCreated: SupportSlice['ticketCreated'] = new AsyncEvent();
  const ticketWritten: SupportSlice['ticketWritten'] = new AsyncEvent();
  const ticketClosed: SupportSlice['ticketClosed'] = new AsyncEvent();
  const ticketReopened: SupportSlice['ticketReopened'] = new AsyncEvent();
  const ticketSeen: SupportSlice['ticketSeen'] = new SyncEvent();
  const messageReceived: SupportSlice['messageReceived'] = new AsyncEvent();
  const messageDeleted: SupportSlice['messageDeleted'] = new AsyncEvent();
  const ticketChanged = new SyncEvent<[ticketId: string]>();
  const contact = new Contact({ ...options, onReceived: messageReceived.emit });
  const inbox = new ContactInbox({ ...options, onDeleted: messageDeleted.emit });
  const onChanged = ticketChanged.emit;
  const written = { onCreated: ticketCreated.emit, onWritten: ticketWritten.emit, onChanged, onSeen: ticketSeen.emit };
  const tickets = new Tickets({ ...options, ...written });
  const ticketDesk = new TicketDesk({
    ...options,
    onClosed: ticketClosed.emit,
    onReopened: ticketReopened.emit,
    onChanged,
  });
  const cannedAnswers = new CannedAnswers(options);
  const liveTickets = new LiveTickets({ ...options, tickets });
  ticketChanged.on((ticketId) => liveTickets.publishChange(ticketId));
  const events = {
    ticketCreated,
    ticketWritten,
    ticketClosed,
    ticketReopened,
    ticketSeen,
    messageReceived,
    messageDeleted,
  };
  return { tickets, ticketDesk, cannedAnswers, contact, inbox, liveTickets, ...events };
}
