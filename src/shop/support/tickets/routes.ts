import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { ticketsApi } from './contract.ts';
import type { TicketCreationResult, Tickets, MessageResult } from './service.ts';

const reading: Limit = { points: 50, seconds: 10, by: 'caller' };
/** The service limits stored messages more strictly. */
const writing: Limit = { points: 120, seconds: 60, by: 'caller' };
const working: Limit = { points: 300, seconds: 60, by: 'caller' };

const createClosed = (): Refusal => new Refusal(409, 'closed', 'This ticket is closed');
const createBadKey = (): Refusal =>
  new Refusal(400, 'invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
const createKeyReused = (): Refusal =>
  new Refusal(422, 'idempotency-key-reused', 'Idempotency-Key was used with a different request');
const createOwnershipRefusal = (message: string, field: string, mustBe: string): Refusal =>
  new Refusal(400, 'invalid', message, { fields: { [field]: mustBe } });

function toTicketRefusal(refused: Exclude<TicketCreationResult, { ok: true }>): Refusal {
  switch (refused.reason) {
    case 'too-many-open':
      return new Refusal(409, 'too-many-open', "You can't create more than 2 open tickets");
    case 'too-often':
      return new Refusal(429, 'too-often', 'Too many tickets. Try again later.', refused);
    case 'bad-key':
      return createBadKey();
    case 'key-reused':
      return createKeyReused();
    default:
      return refused satisfies never;
  }
}

function toMessageRefusal(refused: Exclude<MessageResult, { ok: true }>): Refusal {
  switch (refused.reason) {
    case 'missing':
      return createNotFound();
    case 'wrong-sender':
      return createOwnershipRefusal('The message was not sent', 'sender_type', 'must be your own role');
    case 'closed':
      return createClosed();
    case 'blank':
      return createOwnershipRefusal('The message was not sent', 'message', 'is required');
    case 'too-often':
      return new Refusal(429, 'too-often', 'Too many messages. Wait a moment.', refused);
    case 'bad-key':
      return createBadKey();
    case 'key-reused':
      return createKeyReused();
    default:
      return refused satisfies never;
  }
}

export function createTicketRoutes(tickets: Tickets): RoutesOf<typeof ticketsApi> {
  return {
    'POST /tickets/create': {
      who: 'user',
      limit: writing,
      handle: async ({ body: { user_id: userId, ...draft }, caller: { identity, idempotencyKey, ip } }) => {
        if (userId !== undefined && userId.toLowerCase() !== identity.userId) {
          return createOwnershipRefusal('The ticket was not created', 'user_id', 'must be your own');
        }
        const created = await tickets.create(identity.userId, draft, idempotencyKey, ip);
        return created.ok ? created.ticket : toTicketRefusal(created);
      },
    },
    'GET /tickets/user/{userId}': {
      who: 'user',
      limit: reading,
      handle: async ({ params, caller: { identity } }) =>
        params.userId.toLowerCase() === identity.userId ? tickets.listTickets(identity.userId) : createNotFound(),
    },
    'GET /tickets/unread': {
      who: 'user',
      limit: reading,
      handle: ({ caller: { identity } }) => tickets.countUnread(identity.userId),
    },
    'GET /tickets/{id}': {
      who: 'user',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params, caller: { identity } }) => (await tickets.find(identity, params.id)) ?? createNotFound(),
    },
    'GET /tickets/{id}/messages': {
      who: 'user',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params, query, caller: { identity } }) =>
        (await tickets.listMessages(identity, params.id, query)) ?? createNotFound(),
    },
    'POST /tickets/{id}/read': {
      who: 'user',
      limit: reading,
      handle: async ({ params, body, caller: { identity } }) =>
        (await tickets.markRead(identity, params.id, body.message_id)) ? { message: 'success' } : createNotFound(),
    },
    'POST /tickets/messages': {
      who: 'user',
      limit: working,
      handle: async ({ body, caller: { identity, idempotencyKey, ip } }) => {
        const { ticket_id: ticketId, sender_type: side, client_id: clientId, message } = body;
        const key = clientId ?? idempotencyKey;
        const written = await tickets.write(identity, { ticketId, side, key, ip }, message);
        return written.ok ? written.message : toMessageRefusal(written);
      },
    },
    'GET /support/tickets': {
      who: 'support',
      hasPersonalData: true,
      limit: working,
      handle: async ({ query: { unread, ...query } }) =>
        tickets.listQueue({ ...query, unread: unread === undefined ? undefined : unread === 'true' }),
    },
    'POST /support/tickets/{id}/in-progress': {
      who: 'support',
      limit: working,
      handle: async ({ params }) => {
        const ticket = await tickets.markInProgress(params.id);
        if (ticket === 'missing') return createNotFound();
        return ticket === 'closed' ? createClosed() : ticket;
      },
    },
    'POST /support/tickets/{id}/close': {
      who: 'support',
      limit: working,
      handle: async ({ params }) => (await tickets.close(params.id)) ?? createNotFound(),
    },
  };
}
