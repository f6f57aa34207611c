import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { ticketsApi } from './contract.ts';
import type { AssignmentResult, TicketDesk } from './desk.service.ts';
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

function toAssignmentRefusal(refused: Exclude<AssignmentResult, { ok: true }>): Refusal {
  switch (refused.reason) {
    case 'missing':
      return createNotFound();
    case 'closed':
      return createClosed();
    case 'not-staff':
      return new Refusal(409, 'not-staff', 'This account may not answer tickets');
    case 'assigned-meanwhile': {
      const { assignee } = refused;
      const message = assignee ? `${assignee.username} has taken this ticket` : 'Nobody has this ticket any more';
      return new Refusal(409, 'assigned-meanwhile', message);
    }
    default:
      return refused satisfies never;
  }
}

const TOO_MANY_NOTES = new Refusal(409, 'too-many', 'This ticket has 200 notes. Delete one first');

const isOfStaff = ({ role }: { readonly role: string }): boolean => role !== 'customer';

export function createTicketRoutes(tickets: Tickets, desk: TicketDesk): RoutesOf<typeof ticketsApi> {
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
      handle: async ({ body, caller }) => {
        const { ticket_id: ticketId, sender_type: side, client_id: clientId, message } = body;
        const { identity, idempotencyKey, ip } = caller;
        const key = clientId ?? idempotencyKey;
        const by = isOfStaff(identity) ? { by: toStaffActor(caller) } : {};
        const written = await tickets.write(identity, { ticketId, side, key, ip, ...by }, message);
        return written.ok ? written.message : toMessageRefusal(written);
      },
    },
    ...createQueueRoutes(desk),
    ...createDeskRoutes(desk),
  };
}

type QueueKey = Extract<keyof typeof ticketsApi, `GET /support/${string}`>;
type DeskKey = Exclude<Extract<keyof typeof ticketsApi, `${string} /support/${string}`>, QueueKey>;

/** What staff read. */
function createQueueRoutes(desk: TicketDesk): Pick<RoutesOf<typeof ticketsApi>, QueueKey> {
  return {
    'GET /support/tickets': {
      who: 'support',
      hasPersonalData: true,
      limit: working,
      handle: ({ query: { unread, waiting, assignee, ...query }, caller: { identity } }) =>
        desk.list({
          ...query,
          unread: parseFlag(unread),
          isWaiting: parseFlag(waiting),
          ...(assignee && { assigneeId: assignee === 'me' ? identity.userId : null }),
        }),
    },
    'GET /support/tickets/{id}': {
      who: 'support',
      hasPersonalData: true,
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async ({ params }) => (await desk.findWithCustomer(params.id)) ?? createNotFound(),
    },
    'GET /support/ticket-counts': {
      who: 'support',
      limit: working,
      handle: ({ caller: { identity } }) => desk.count(identity.userId),
    },
  };
}

/** What staff change. */
function createDeskRoutes(desk: TicketDesk): Pick<RoutesOf<typeof ticketsApi>, DeskKey> {
  return {
    'POST /support/tickets/{id}/assign': {
      who: 'support',
      limit: working,
      handle: async ({ params, body, caller }) => {
        const change = { assigneeId: body.assignee_id, seenId: body.seen_assignee_id };
        const assigned = await desk.assign(params.id, change, toStaffActor(caller));
        return assigned.ok ? assigned.ticket : toAssignmentRefusal(assigned);
      },
    },
    'POST /support/tickets/{id}/notes': {
      who: 'support',
      limit: working,
      handle: async ({ params, body, caller }) => {
        const author = { by: toStaffActor(caller), userId: caller.identity.userId };
        const added = await desk.addNote(params.id, body.text, author);
        if (added === 'missing') return createNotFound();
        if (added === 'too-many') return TOO_MANY_NOTES;
        return { notes: await desk.listNotes(params.id) };
      },
    },
    'DELETE /support/tickets/{id}/notes/{note_id}': {
      who: 'support',
      limit: working,
      handle: async ({ params, caller }) => {
        const isDeleted = await desk.deleteNote(params.id, params.note_id, toStaffActor(caller));
        return isDeleted ? { notes: await desk.listNotes(params.id) } : createNotFound();
      },
    },
    'POST /support/tickets/{id}/in-progress': {
      who: 'support',
      limit: working,
      handle: async ({ params, caller }) => {
        const ticket = await desk.markInProgress(params.id, toStaffActor(caller));
        if (ticket === 'missing') return createNotFound();
        return ticket === 'closed' ? createClosed() : ticket;
      },
    },
    'POST /support/tickets/{id}/close': {
      who: 'support',
      limit: working,
      handle: async ({ params, caller }) => (await desk.close(params.id, toStaffActor(caller))) ?? createNotFound(),
    },
    'POST /support/tickets/{id}/reopen': {
      who: 'support',
      limit: working,
      handle: async ({ params, caller }) => {
        const ticket = await desk.reopen(params.id, toStaffActor(caller));
        switch (ticket) {
          case 'missing':
            return createNotFound();
          case 'too-late':
            return new Refusal(409, 'closed', 'Closed more than 14 days ago');
          case 'no-slot':
            return new Refusal(409, 'too-many-open', 'This customer has two open tickets. Close one of them first');
          default:
            return ticket;
        }
      },
    },
  };
}

const parseFlag = (flag: 'true' | 'false' | undefined): boolean | undefined =>
  flag === undefined ? undefined : flag === 'true';
