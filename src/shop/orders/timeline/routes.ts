import { createNotFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { timelineApi } from './contract.ts';
import type { OrderTimeline } from './service.ts';

export function createTimelineRoutes(timeline: OrderTimeline): RoutesOf<typeof timelineApi> {
  return {
    'GET /orders/{id}/timeline': {
      who: 'user',
      limit: { points: 60, seconds: 10, by: 'caller' },
      handle: async ({ params, caller }) =>
        (await timeline.find(caller.identity.userId, params.id)) ?? createNotFound(),
    },
    'GET /pay/{token}': {
      who: 'anyone',
      limit: { points: 120, seconds: 60, by: 'ip' },
      handle: async ({ params, reply }) => {
        reply.header('cache-control', 'no-store');
        // Outgoing links must not send the token as a referrer.
        reply.header('referrer-policy', 'no-referrer');
        return (await timeline.findPaymentRequest(params.token)) ?? createNotFound();
      },
    },
  };
}
