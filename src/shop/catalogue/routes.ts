import { Encoded, notFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { catalogueApi } from './contract.ts';
import type { Catalogue } from './service.ts';

const crossedBounds = (): Refusal =>
  new Refusal(400, 'invalid', 'The request contains invalid values', {
    fields: { price_min: 'must not be above price_max' },
  });

const browsing: Limit = { points: 600, seconds: 60, by: 'ip' };

export function catalogueRoutes(catalogue: Catalogue): RoutesOf<typeof catalogueApi> {
  const version = () => `${catalogue.version} ${catalogue.rate}`;
  return {
    'GET /products': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async ({ query, reply }) => {
        const list = catalogue.list(query);
        if (!list.ok) return crossedBounds();
        reply.header('x-total-count', String(list.total));
        return new Encoded([...list.products]);
      },
    },
    'GET /products/{slug}': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async ({ params }) => {
        const product = catalogue.findBySlug(params.slug);
        return product ? new Encoded(product) : notFound();
      },
    },
    'GET /product-cards': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async ({ query }) => new Encoded([...catalogue.listCards(query.ids.split(','))]),
    },
    'GET /filters': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async ({ query }) => {
        const options = catalogue.countFilterOptions(query);
        return options ? new Encoded(options) : crossedBounds();
      },
    },
    'GET /search/suggestions': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async ({ query }) => new Encoded(catalogue.suggestProducts(query.q ?? '')),
    },
    'GET /categories': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async () => new Encoded([...catalogue.categories()]),
    },
    'GET /rate': {
      who: 'anyone',
      limit: browsing,
      version: () => `${catalogue.rate} ${catalogue.getDisplayRate().state}`,
      handle: async () => catalogue.getDisplayRate(),
    },
    'GET /brands': {
      who: 'anyone',
      limit: browsing,
      version,
      handle: async () => new Encoded([...catalogue.brands()]),
    },
  };
}
