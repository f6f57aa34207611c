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

/** A ticket in the staff queue. */
const queuedTicket = z.object({
  ...shape,
  username: z.string(),
  email: z.string(),
  last_message_at: instant,
  /** Messages of the customer that staff have not read, including the description. */
  unread: z.int().nonnegative(),
});

/** Ids are ordered by time, so sorting by id sorts by position. */
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
    summary: 'Opens a ticket; at most two may be open. A repeated Idempotency-Key returns the first ticket',
    body: z.object({
      /** Must be the caller's own id. */
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
    summary: 'Lists the tickets of the caller, newest first, at most 500',
    params: z.object({ userId: id }),
    response: z.array(ticket),
    refusals: missing,
  },
  'GET /tickets/unread': {
    summary: 'Counts the unread support messages of the caller per ticket',
    response: z.object({
      count: z.int().nonnegative(),
      tickets: z.array(z.object({ ticket_id: id, count: z.int().positive() })),
    }),
  },
  'GET /tickets/{id}': {
    summary: 'Returns a ticket to its owner or staff',
    params: ticketInPath,
    response: ticket,
    refusals: missing,
  },
  'GET /tickets/{id}/messages': {
    summary: 'Lists messages of a ticket, oldest first: the newest, or those after or before a message',
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
    summary: 'Marks messages as read up to the given one',
    params: ticketInPath,
    body: z.object({ message_id: id }),
    response: z.object({ message: z.literal('success') }),
    refusals: missing,
  },
  'POST /tickets/messages': {
    summary: 'Sends a message; a repeated client_id (or Idempotency-Key) returns the first message',
    body: z.object({
      ticket_id: id,
      /** Must be the caller's own role in the ticket. */
      sender_type: z.enum(senderTypes).optional(),
      message: filledText(MAX_MESSAGE_LENGTH),
      /** Id of the message chosen by the client; makes retries idempotent. */
      client_id: id.optional(),
    }),
    status: 201,
    response: message,
    failureMessage: 'The message was not sent',
    refusals: { 404: 'not-found', 409: 'closed', 422: 'idempotency-key-reused', 429: 'too-often' },
  },
  'GET /support/tickets': {
    summary: 'Staff: tickets by newest message, 25 a page; q searches title, theme, username and address',
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
    summary: 'Staff: sets an open ticket to in progress',
    params: ticketInPath,
    response: ticket,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'closed' },
  },
  'POST /support/tickets/{id}/close': {
    summary: 'Staff: closes a ticket permanently; idempotent',
    params: ticketInPath,
    response: ticket,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
