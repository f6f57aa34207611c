import { z } from 'zod';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { paymentStatuses } from '#src/shop/orders/kinds.ts';
import { MAX_LENGTHS, MAX_MESSAGE_LENGTH } from './check-ticket.ts';

export const ticketStatuses = ['open', 'in_progress', 'closed'] as const;
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

const staffMember = z.object({ id, username: z.string() });

/** A ticket in the staff queue. */
const queuedTicket = z.object({
  ...shape,
  /** Staff see tickets by number. */
  number: z.int().positive(),
  username: z.string(),
  /** Empty for an account of the team. */
  email: z.string(),
  last_message_at: instant,
  /** Messages of the customer that staff have not read, including the description. */
  unread: z.int().nonnegative(),
  /** Time of the customer's last message; null if support has answered since, or closed the ticket. */
  waiting_since: instant.nullable(),
  /** The member of staff who works on it. */
  assignee: staffMember.nullable(),
});
export type QueuedTicket = z.input<typeof queuedTicket>;

/** An internal note, never sent to the customer. */
const ticketNote = z.object({ id, author: z.string(), text: z.string(), created_at: instant });
export type TicketNote = z.input<typeof ticketNote>;

const staffTicket = z.object({
  ticket: queuedTicket,
  /** Internal, oldest first. */
  notes: z.array(ticketNote),
  is_customer_blocked: z.boolean(),
  /** The customer's newest orders, at most 5. */
  orders: z.array(z.object({ id, number: z.string(), created_at: instant, payment_status: z.enum(paymentStatuses) })),
  /** Members of staff who can be assigned. */
  staff: z.array(z.object({ id, username: z.string() })),
});
export type StaffTicket = z.input<typeof staffTicket>;

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
    summary:
      'Staff: tickets, 25 a page. q is a number, an order number, or part of a title, theme, username or address',
    query: z.object({
      status: z.enum(ticketStatuses).optional(),
      q: text(200).optional(),
      unread: z.enum(['true', 'false']).optional(),
      /** Whether the customer waits for an answer. */
      waiting: z.enum(['true', 'false']).optional(),
      assignee: z.enum(['me', 'nobody']).optional(),
      /** The longest waiting first, or the newest message first (default). */
      sort: z.enum(['waiting', 'newest']).optional(),
      page: queryInteger(1, 100_000).optional(),
    }),
    response: z.object({
      tickets: z.array(queuedTicket),
      total: z.int().nonnegative(),
      /** Whether more tickets match the filters than the 10,000 that are counted and listed. */
      has_more: z.boolean(),
      page: z.int().positive(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/tickets/{id}': {
    summary: 'Staff: a ticket with its customer, internal notes and the customer’s newest orders',
    params: z.object({ id }),
    response: staffTicket,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/ticket-counts': {
    summary: 'Staff: numbers of tickets that are not closed',
    response: z.object({
      open: z.int().nonnegative(),
      in_progress: z.int().nonnegative(),
      waiting: z.int().nonnegative(),
      mine: z.int().nonnegative(),
      unassigned: z.int().nonnegative(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/tickets/{id}/assign': {
    summary: 'Staff: assigns a ticket to a member of staff or nobody, unless it was assigned meanwhile',
    params: ticketInPath,
    body: z.object({
      assignee_id: id.nullable(),
      /** The assignee that the caller saw. */
      seen_assignee_id: id.nullable(),
    }),
    response: queuedTicket,
    failureMessage: 'The ticket was not assigned',
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'assigned-meanwhile, closed, not-staff' },
  },
  'POST /support/tickets/{id}/notes': {
    summary: 'Staff: adds an internal note, which the customer never sees',
    params: ticketInPath,
    body: z.object({ text: filledText(MAX_MESSAGE_LENGTH) }),
    status: 201,
    response: z.object({ notes: z.array(ticketNote) }),
    failureMessage: 'The note was not added',
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'too-many' },
  },
  'DELETE /support/tickets/{id}/notes/{note_id}': {
    summary: 'Staff: deletes an internal note',
    params: z.object({ id, note_id: id }),
    response: z.object({ notes: z.array(ticketNote) }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /support/tickets/{id}/in-progress': {
    summary: 'Staff: sets an open ticket to in progress',
    params: ticketInPath,
    response: ticket,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'closed' },
  },
  'POST /support/tickets/{id}/close': {
    summary: 'Staff: closes a ticket; idempotent',
    params: ticketInPath,
    response: ticket,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /support/tickets/{id}/reopen': {
    summary: 'Staff: reopens a ticket as in progress, within 14 days after it was closed; idempotent',
    params: ticketInPath,
    response: ticket,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'closed, too-many-open' },
  },
} as const satisfies Contract;
