import { Encoded, notFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { reviewsApi } from './contract.ts';
import type { Reviews } from './service.ts';

const browsing: Limit = { points: 600, seconds: 60, by: 'ip' };

export function reviewRoutes(reviews: Reviews): RoutesOf<typeof reviewsApi> {
  const version = () => reviews.version;
  return {
    'GET /reviews/shop': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async () => new Encoded([...reviews.ofShop()]),
    },
    'GET /reviews/product/{id}': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async ({ params }) => {
        const found = reviews.ofProduct(params.id);
        return found ? new Encoded([...found]) : notFound();
      },
    },
  };
}
