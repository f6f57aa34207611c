import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { createCheckoutRefusal } from '../checkout/refusals.service.ts';
import type { orderDeskApi } from './contract.ts';
import type { PaidOrderMails } from './paid-order-mails.service.ts';
import type { OrderDesk } from './service.ts';

const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const changing: Limit = { points: 60, seconds: 60, by: 'caller' };

const refusals = {
  'not-found': createNotFound(),
  'bad-key': new Refusal(400, 'invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters'),
  'too-many': new Refusal(409, 'too-many', 'This order has 200 notes. Delete one first'),
  'not-changeable': new Refusal(
    409,
    'not-changeable',
    'The address can only be changed while the order is open or paid, and has something left to ship',
  ),
  'not-true': new Refusal(409, 'not-true', 'The order has changed: this mail would no longer be true'),
  'too-often': new Refusal(
    429,
    'too-often',
    'Three mails about this order were sent again within an hour. Try again later',
    {
      retryAfterSeconds: 3_600,
    },
  ),
} as const;

type Routes = RoutesOf<typeof orderDeskApi>;

export const createOrderDeskRoutes = (desk: OrderDesk, paidOrderMails: PaidOrderMails): Routes => ({
  ...createOrderRoutes(desk),
  ...createListRoutes(desk, paidOrderMails),
});

type ListKey = Extract<keyof Routes, `${string} /support/${string}`>;

function createOrderRoutes(desk: OrderDesk): Omit<Routes, ListKey> {
  return {
    'GET /orders/{id}/notes': {
      who: 'orders',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params }) => {
        const notes = await desk.listNotes(params.id);
        return notes === null ? createNotFound() : { notes: [...notes] };
      },
    },
    'POST /orders/{id}/notes': {
      who: 'orders',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const { idempotencyKey: key } = caller;
        if (key !== null && !KEY_PATTERN.test(key)) return refusals['bad-key'];
        const added = await desk.addNote(params.id, body.text, key, toStaffActor(caller));
        return added.ok ? { notes: [...added.notes] } : refusals[added.reason];
      },
    },
    'DELETE /orders/{id}/notes/{note_id}': {
      who: 'orders',
      limit: changing,
      handle: async ({ params, caller }) => {
        const notes = await desk.deleteNote(params.id, params.note_id, toStaffActor(caller));
        return notes === null ? createNotFound() : { notes: [...notes] };
      },
    },
    'PUT /orders/{id}/address': {
      who: 'orders',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const changed = await desk.changeAddress(params.id, body, toStaffActor(caller));
        if (changed.ok) return { order: changed.order };
        const { reason } = changed;
        return reason === 'postcode' || reason === 'phone'
          ? createCheckoutRefusal({ ok: false, reason })
          : refusals[reason];
      },
    },
    'GET /orders/{id}/mails': {
      who: 'orders',
      limit: reading,
      handle: async ({ params }) => {
        const found = await desk.listMails(params.id);
        return found === null ? createNotFound() : { mails: [...found.mails], left: found.left };
      },
    },
    'POST /orders/{id}/mails': {
      who: 'orders',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const sent = await desk.repeatMail(params.id, body, toStaffActor(caller));
        return sent.ok ? { mails: [...sent.mails.mails], left: sent.mails.left } : refusals[sent.reason];
      },
    },
  };
}

function createListRoutes(desk: OrderDesk, paidOrderMails: PaidOrderMails): Pick<Routes, ListKey> {
  return {
    'GET /support/paid-order-mails': {
      who: 'settings',
      limit: reading,
      handle: () => paidOrderMails.readSettings(),
    },
    'PUT /support/paid-order-mails': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body, caller }) => paidOrderMails.change(body, toStaffActor(caller)),
    },
    'GET /support/order-filters': {
      who: 'orders',
      limit: reading,
      handle: async ({ caller }) => ({ filters: [...(await desk.listFilters(caller.identity.userId))] }),
    },
    'POST /support/order-filters': {
      who: 'orders',
      limit: changing,
      handle: async ({ body, caller }) => {
        const saved = await desk.saveFilter(caller.identity.userId, body.name, body.query, toStaffActor(caller));
        if (saved.ok) return { filters: [...saved.filters] };
        return saved.reason === 'name-taken'
          ? new Refusal(409, 'name-taken', 'You have another filter with this name')
          : new Refusal(409, 'too-many', 'You have 20 saved filters. Delete one first');
      },
    },
    'DELETE /support/order-filters/{id}': {
      who: 'orders',
      limit: changing,
      handle: async ({ params, caller }) => ({
        filters: [...(await desk.deleteFilter(caller.identity.userId, params.id, toStaffActor(caller)))],
      }),
    },
  };
}
