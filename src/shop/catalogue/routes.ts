import { createInvalid, createNotFound, Encoded } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { catalogueApi } from './contract.ts';
import type { StockWatch } from '#src/shop/inventory/stock-watch.service.ts';
import type { Catalogue } from './service.ts';

const createCrossedBounds = (): Refusal => createInvalid({ price_min: 'must not be above price_max' });

const browsing: Limit = { points: 600, seconds: 60, by: 'ip' };

export function createCatalogueRoutes(
  catalogue: Catalogue,
  stock: Pick<StockWatch, 'version'>,
): RoutesOf<typeof catalogueApi> {
  const getVersion = () => `${catalogue.version} ${catalogue.rate}`;
  const getStockVersion = () => `${getVersion()} ${stock.version}`;
  return {
    'GET /products': {
      who: 'anyone',
      limit: browsing,
      getVersion: getStockVersion,
      handle: async ({ query, reply }) => {
        const list = await catalogue.list(query);
        if (!list.ok) return createCrossedBounds();
        reply.header('x-total-count', String(list.total));
        return new Encoded([...list.products]);
      },
    },
    'GET /products/{slug}': {
      who: 'anyone',
      limit: browsing,
      getVersion: getStockVersion,
      handle: async ({ params }) => {
        const product = (await catalogue.findDetail(params.slug)) ?? (await catalogue.findByFormerSlug(params.slug));
        return product ? new Encoded(product) : createNotFound();
      },
    },
    'GET /product-cards': {
      who: 'anyone',
      limit: browsing,
      getVersion: getStockVersion,
      handle: async ({ query: { ids, sku = [] } }) =>
        new Encoded([...(await catalogue.listCards(ids.split(','), [sku].flat()))]),
    },
    'GET /filters': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async ({ query }) => {
        const options = catalogue.countFilterOptions(query);
        return options ? new Encoded(options) : createCrossedBounds();
      },
    },
    'GET /search/suggestions': {
      who: 'anyone',
      limit: browsing,
      getVersion: getStockVersion,
      handle: async ({ query }) => new Encoded(await catalogue.suggestProducts(query.q ?? '')),
    },
    'GET /categories': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async () => new Encoded([...catalogue.listCategories()]),
    },
    'GET /categories/{slug}': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async ({ params }) => {
        const category = await catalogue.findCategory(params.slug);
        return category ? new Encoded(category) : createNotFound();
      },
    },
    'GET /rate': {
      who: 'anyone',
      limit: browsing,
      getVersion: () => formatRateVersion(catalogue.getDisplayRate()),
      handle: async () => catalogue.getDisplayRate(),
    },
    'GET /brands': {
      who: 'anyone',
      limit: browsing,
      getVersion,
      handle: async () => new Encoded([...catalogue.listBrands()]),
    },
  };
}

function formatRateVersion({ rate_usd: usd, state, updated_at: at }: ReturnType<Catalogue['getDisplayRate']>): string {
  return `${usd} ${state} ${at?.getTime()}`;
}
