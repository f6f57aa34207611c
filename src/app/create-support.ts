/** Creates the services of the support slice. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, SyncEvent } from '#src/platform/process/events.ts';
import { CannedAnswers } from '#src/shop/support/canned-answers/service.ts';
import { LiveTickets } from '#src/shop/support/chat/service.ts';
import { ContactInbox } from '#src/shop/support/contact/inbox.service.ts';
import { Contact } from '#src/shop/support/contact/service.ts';
import { TicketDesk } from '#src/shop/support/tickets/desk.service.ts';
import { Tickets } from '#src/shop/support/tickets/service.ts';
import type { TicketsOptions } from '#src/shop/support/tickets/service.ts';
import type { AccountsSlice } from './create-accounts.ts';
import type { OrdersSlice } from './create-orders.ts';
import type { Foundation } from './open-foundation.ts';

/** Each event of a ticket or message is emitted in the transaction that causes it. */
export function createSupport(
  { clock, db, limits, log, mails, pubSub, shopSettings }: Foundation,
  { accounts, customers }: AccountsSlice,
  { orderList }: OrdersSlice,
) {
  const ticketCreated = new AsyncEvent<[tx: Db, ticketId: string]>();
  const ticketWritten = new AsyncEvent<Parameters<TicketsOptions['onWritten']>>();
  const ticketClosed = new AsyncEvent<[tx: Db, ticketId: string]>();
  const ticketReopened = new AsyncEvent<[tx: Db, ticketId: string]>();
  /** After staff have seen a ticket for the first time. */
  const ticketSeen = new SyncEvent<[]>();
  const messageReceived = new AsyncEvent<[tx: Db, messageId: string]>();
  /** Staff delete the message. */
  const messageDeleted = new AsyncEvent<[tx: Db, messageId: string]>();
  const ticketChanged = new SyncEvent<[ticketId: string]>();
  const onChanged = ticketChanged.emit;
  const tickets = new Tickets({
    db,
    clock,
    limits,
    onCreated: ticketCreated.emit,
    onWritten: ticketWritten.emit,
    onChanged,
    onSeen: ticketSeen.emit,
  });
  const liveTickets = new LiveTickets({ pubSub, tickets, accounts, log });
  ticketChanged.on((ticketId) => liveTickets.publishChange(ticketId));
  return {
    tickets,
    ticketDesk: new TicketDesk({
      db,
      clock,
      shopSettings,
      customers,
      orderList,
      onClosed: ticketClosed.emit,
      onReopened: ticketReopened.emit,
      onChanged,
    }),
    cannedAnswers: new CannedAnswers({ db, clock }),
    contact: new Contact({ db, clock, limits, onReceived: messageReceived.emit }),
    inbox: new ContactInbox({ db, clock, mails, onDeleted: messageDeleted.emit }),
    liveTickets,
    ticketCreated,
    ticketWritten,
    ticketClosed,
    ticketReopened,
    ticketSeen,
    messageReceived,
    messageDeleted,
  };
}

export type SupportSlice = ReturnType<typeof createSupport>;
