import { z } from 'zod';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_LENGTHS, MAX_MESSAGE_LENGTH } from './check-ticket.ts';

const ticketStatuses = ['open', 'in_progress', 'closed'] as const;
const senderTypes = ['user', 'support'] as const;

const shape = {
  id,
  user_id: id,
  title: z.string(),
  theme: z.string(),
  description: z.string(),
  status: z.enum(ticketStatuses),
  created_at: instant,
};
const ticket = z.object(shape);
export type Ticket = z.input<typeof ticket>;
export type TicketStatus = Ticket['status'];

/** As its queue shows it to staff. */
const queuedTicket = z.object({
  ...shape,
  username: z.string(),
  email: z.string(),
  last_message_at: instant,
  /** What its user has written since staff read it last, the description included. */
  unread: z.int().nonnegative(),
});

/** Ids grow with the time at which messages were taken: sorted by id they are in order. */
export const message = z.object({
  id,
  ticket_id: id,
  sender_type: z.enum(senderTypes),
  message: z.string(),
  created_at: instant,
});
export type Message = z.input<typeof message>;

const ticketInPath = z.object({ id });
const missing = { 404: 'not-found' } as const;

export const ticketsApi = {
  'POST /tickets/create': {
    summary: 'Opens a ticket; two may be open at a time. With an Idempotency-Key sent again, answers the one it made',
    body: z.object({
      /** The caller’s own, if it is sent. */
      user_id: text(64).optional(),
      title: filledText(MAX_LENGTHS.title),
      theme: filledText(MAX_LENGTHS.theme),
      description: filledText(MAX_LENGTHS.description),
    }),
    status: 201,
    response: ticket,
    failureMessage: 'The ticket was not created',
    refusals: { 409: 'too-many-open', 422: 'idempotency-key-reused', 429: 'too-often' },
  },
  'GET /tickets/user/{userId}': {
    summary: 'The caller’s own tickets, newest first, at most 500',
    params: z.object({ userId: id }),
    response: z.array(ticket),
    refusals: missing,
  },
  'GET /tickets/unread': {
    summary: 'How many messages of support the caller has not read, ticket by ticket',
    response: z.object({
      count: z.int().nonnegative(),
      tickets: z.array(z.object({ ticket_id: id, count: z.int().positive() })),
    }),
  },
  'GET /tickets/{id}': {
    summary: 'A ticket, for its owner and for staff',
    params: ticketInPath,
    response: ticket,
    refusals: missing,
  },
  'GET /tickets/{id}/messages': {
    summary: 'Messages of a ticket, oldest first: the newest ones, or those after or before the message named',
    params: ticketInPath,
    query: z.object({
      after: id.optional(),
      before: id.optional(),
      limit: queryInteger(1, 500).optional(),
    }),
    response: z.array(message),
    refusals: missing,
  },
  'POST /tickets/{id}/read': {
    summary: 'Marks messages as read, up to the one named',
    params: ticketInPath,
    body: z.object({ message_id: id }),
    response: z.object({ message: z.literal('success') }),
    refusals: missing,
  },
  'POST /tickets/messages': {
    summary:
      'Writes into a ticket; the same client_id (or Idempotency-Key) sent again answers what was kept the first time',
    body: z.object({
      ticket_id: id,
      /** What the caller is anyway, if it is sent. */
      sender_type: z.enum(senderTypes).optional(),
      message: filledText(MAX_MESSAGE_LENGTH),
      /** Names this message on the side of who writes it. */
      client_id: id.optional(),
    }),
    status: 201,
    response: message,
    failureMessage: 'The message was not sent',
    refusals: { 404: 'not-found', 409: 'closed', 422: 'idempotency-key-reused', 429: 'too-often' },
  },
  'GET /support/tickets': {
    summary: 'Staff: the queue, by their newest message, 25 a page; q looks in title, theme, username and address',
    query: z.object({
      status: z.enum(ticketStatuses).optional(),
      q: text(200).optional(),
      unread: z.enum(['true', 'false']).optional(),
      page: queryInteger(1, 100_000).optional(),
    }),
    response: z.object({ tickets: z.array(queuedTicket), total: z.int().nonnegative(), page: z.int().positive() }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/tickets/{id}/in-progress': {
    summary: 'Staff: takes an open ticket in hand',
    params: ticketInPath,
    response: ticket,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'closed' },
  },
  'POST /support/tickets/{id}/close': {
    summary: 'Staff: closes a ticket for good; one that is closed stays so',
    params: ticketInPath,
    response: ticket,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
