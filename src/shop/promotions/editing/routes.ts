import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Reply } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { PromotionChanges, StoredPromotion } from './changes.service.ts';
import type { staffPromotionsApi } from './contract.ts';
import type { PromotionList } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const changing: Limit = { points: 60, seconds: 60, by: 'caller' };

export function createStaffPromotionRoutes(
  changes: PromotionChanges,
  promotions: PromotionList,
): RoutesOf<typeof staffPromotionsApi> {
  const respond = async (changed: StoredPromotion | Refusal, reply: Reply) => {
    if (changed instanceof Refusal) return changed;
    reply.recordSecurityEvent('promotion_changed', { targetId: changed.id });
    return { promotion: await promotions.show(changed) };
  };
  return {
    'GET /support/promotions': {
      who: 'catalogue',
      limit: reading,
      handle: ({ query: { page, ...filter } }) => promotions.list(filter, page ?? 1),
    },
    'POST /support/promotions': {
      who: 'catalogue',
      limit: changing,
      handle: async ({ body, caller, reply }) => respond(await changes.create(body, toStaffActor(caller)), reply),
    },
    'GET /support/promotions/{id}': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ params }) => {
        const promotion = await promotions.find(params.id);
        return promotion === null ? createNotFound() : { promotion };
      },
    },
    'PUT /support/promotions/{id}': {
      who: 'catalogue',
      limit: changing,
      handle: async ({ params, body: { version, ...fields }, caller, reply }) =>
        respond(await changes.edit(params.id, version, fields, toStaffActor(caller)), reply),
    },
    'POST /support/promotions/{id}/enable': {
      who: 'catalogue',
      limit: changing,
      handle: async ({ params, caller, reply }) =>
        respond(await changes.setActive(params.id, true, toStaffActor(caller)), reply),
    },
    'POST /support/promotions/{id}/disable': {
      who: 'catalogue',
      limit: changing,
      handle: async ({ params, caller, reply }) =>
        respond(await changes.setActive(params.id, false, toStaffActor(caller)), reply),
    },
    'DELETE /support/promotions/{id}': {
      who: 'catalogue',
      limit: changing,
      handle: async ({ params, caller, reply }) => {
        const removed = await changes.remove(params.id, toStaffActor(caller));
        if (removed instanceof Refusal) return removed;
        reply.recordSecurityEvent('promotion_changed', { targetId: params.id });
        return { deleted: params.id };
      },
    },
    'GET /support/promotions/{id}/uses': {
      who: 'catalogue',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params, query }) => (await promotions.listUses(params.id, query.page ?? 1)) ?? createNotFound(),
    },
  };
}
