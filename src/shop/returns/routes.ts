import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { returnsApi } from './contract.ts';
import type { Returns, TicketResult } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const changing: Limit = { points: 30, seconds: 60, by: 'caller' };
/** Each stores a row and sends a mail. */
const requesting: Limit = { points: 10, seconds: 3600, by: 'caller', isShared: true };

type NotDone = 'not-found' | 'not-returnable' | 'too-many-units' | 'too-many' | 'not-on-sale' | 'not-possible';
const NOT_DONE: Readonly<Record<NotDone, () => Refusal>> = {
  'not-found': createNotFound,
  'not-returnable': () =>
    new Refusal(409, 'not-returnable', 'This order can’t be returned for this reason any more. Write to us'),
  'too-many-units': () =>
    new Refusal(
      409,
      'too-many-units',
      'Fewer of these items can be returned: others are refunded, or in another return. Reload the page',
    ),
  'too-many': () => new Refusal(409, 'too-many', 'This order has too many returns. Write to us'),
  'not-on-sale': () => new Refusal(409, 'not-on-sale', 'This variant is not on sale any more. Choose another one'),
  'not-possible': () =>
    new Refusal(409, 'not-possible', 'This is not possible any more. Reload the page to see the state of the return'),
};

function refuseTicket(refused: Exclude<TicketResult, { ok: true }>): Refusal {
  switch (refused.reason) {
    case 'not-found':
      return createNotFound();
    case 'too-many-open':
      return new Refusal(409, 'too-many-open', 'You have two open tickets. Write in one of them');
    case 'too-often':
      return new Refusal(429, 'too-often', 'Too many tickets. Try again later.', refused);
    case 'bad-key':
    case 'key-reused':
      // The draft of a return is always the same.
      throw new Error(`the ticket of a return was refused: ${refused.reason}`);
    default:
      return refused satisfies never;
  }
}

type Done = Awaited<ReturnType<Returns['request']>> | Awaited<ReturnType<Returns['cancel']>>;
const respond = (done: Done) => (done.ok ? done.found : NOT_DONE[done.reason]());

export function createReturnRoutes(returns: Returns): RoutesOf<typeof returnsApi> {
  return {
    'GET /orders/{id}/returns': {
      who: 'user',
      limit: reading,
      handle: async ({ params, caller }) =>
        (await returns.listForOrder(caller.identity.userId, params.id)) ?? createNotFound(),
    },
    'POST /orders/{id}/returns': {
      who: 'user',
      limit: requesting,
      handle: async ({ params, body, caller }) =>
        respond(await returns.request(caller.identity.userId, params.id, body)),
    },
    'GET /returns/{id}': {
      who: 'user',
      limit: reading,
      handle: async ({ params, caller }) => (await returns.find(caller.identity.userId, params.id)) ?? createNotFound(),
    },
    'POST /returns/{id}/cancel': {
      who: 'user',
      limit: changing,
      handle: async ({ params, caller }) => respond(await returns.cancel(caller.identity.userId, params.id)),
    },
    'POST /returns/{id}/sent': {
      who: 'user',
      // Each sends a mail.
      limit: requesting,
      handle: async ({ params, body, caller }) =>
        respond(await returns.markSent(caller.identity.userId, params.id, body.proof)),
    },
    'GET /tickets/{id}/return': {
      who: 'user',
      limit: reading,
      handle: async ({ params, caller }) => ({ return: await returns.findOfTicket(caller.identity.userId, params.id) }),
    },
    'POST /returns/{id}/ticket': {
      who: 'user',
      limit: changing,
      handle: async ({ params, caller }) => {
        const opened = await returns.openTicket(caller.identity.userId, params.id, caller.ip);
        return opened.ok ? { ticket_id: opened.ticketId } : refuseTicket(opened);
      },
    },
  };
}
