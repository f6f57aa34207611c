import { createNotFound, Encoded, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { reviewsApi } from './contract.ts';
import type { Reviews } from './service.ts';

const working: Limit = { points: 300, seconds: 60, by: 'caller' };
const browsing: Limit = { points: 600, seconds: 60, by: 'ip' };

export function createReviewRoutes(reviews: Reviews): RoutesOf<typeof reviewsApi> {
  const getVersion = () => reviews.version;
  return {
    'GET /reviews/shop': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async () => new Encoded([...reviews.listShopReviews()]),
    },
    'GET /reviews/product/{id}': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async ({ params }) => {
        const productReviews = reviews.listProductReviews(params.id);
        return productReviews ? new Encoded([...productReviews]) : createNotFound();
      },
    },
    'GET /verified-reviews/product/{id}': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async ({ params }) => {
        const ids = reviews.listVerifiedIds(params.id);
        return ids ? new Encoded([...ids]) : createNotFound();
      },
    },
    'GET /review-replies/shop': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async () => new Encoded([...reviews.listShopReplies()]),
    },
    'GET /review-replies/product/{id}': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async ({ params }) => {
        const replies = reviews.listProductReplies(params.id);
        return replies ? new Encoded([...replies]) : createNotFound();
      },
    },
    'GET /reviews/own': {
      who: 'user',
      limit: { points: 50, seconds: 10, by: 'caller' },
      handle: ({ caller: { identity } }) => reviews.listOwn(identity.userId),
    },
    'GET /reviews/name': {
      who: 'user',
      limit: { points: 50, seconds: 10, by: 'caller' },
      handle: async ({ caller: { identity } }) => ({ name: await reviews.findDefaultName(identity) }),
    },
    'POST /reviews': {
      who: 'user',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: async ({ body, caller: { identity } }) => {
        const written = await reviews.submit(identity, body);
        if (written.ok) return written.review;
        switch (written.reason) {
          case 'refused':
            return new Refusal(400, 'invalid', 'The review was not sent', { fields: written.fields });
          case 'missing':
            return createNotFound();
          case 'not-bought':
            return new Refusal(403, 'not-bought', 'Only buyers with a paid order can review this product');
          case 'reviewed-already':
            return new Refusal(409, 'reviewed-already', 'You have already reviewed this product');
          default:
            return written satisfies never;
        }
      },
    },
    ...createModerationRoutes(reviews),
  };
}

type ModerationKey = Extract<keyof typeof reviewsApi, `${string} /support/${string}`>;

/** Calls of staff. */
function createModerationRoutes(reviews: Reviews): Pick<RoutesOf<typeof reviewsApi>, ModerationKey> {
  return {
    'GET /support/reviews': {
      who: 'support',
      hasPersonalData: true,
      limit: working,
      handle: ({ query }) => reviews.listForStaff(query.state ?? null, query.page ?? 1),
    },
    'POST /support/reviews/{id}/approve': {
      who: 'support',
      limit: working,
      handle: ({ params, caller }) => reviews.moderate(params.id, true, toStaffActor(caller)),
    },
    'POST /support/reviews/{id}/reject': {
      who: 'support',
      limit: working,
      handle: ({ params, caller }) => reviews.moderate(params.id, false, toStaffActor(caller)),
    },
    'PUT /support/reviews/{id}/reply': {
      who: 'support',
      limit: working,
      handle: ({ params, body, caller }) => reviews.reply(params.id, body.text, body.seen, toStaffActor(caller)),
    },
    'POST /support/reviews/{id}/remove-reply': {
      who: 'support',
      limit: working,
      handle: ({ params, body, caller }) => reviews.reply(params.id, null, body.seen, toStaffActor(caller)),
    },
  };
}
