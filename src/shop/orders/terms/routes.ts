import { createNotFound, Download } from '#src/platform/http/call.ts';
import type { Identity, Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { orderTermsApi } from './contract.ts';
import type { OrderTerms } from './service.ts';

const reading: Limit = { points: 60, seconds: 10, by: 'caller' };
// Rendering takes a few tenths of a second of one core. What was rendered last is kept.
const printing: Limit = { points: 30, seconds: 60, by: 'caller', isShared: true };

export function createOrderTermsRoutes(terms: OrderTerms): RoutesOf<typeof orderTermsApi> {
  const print = async (
    id: string,
    userId: string | null,
    { identity }: { readonly identity: Identity },
  ): Promise<Download | Refusal> => {
    const printed = await terms.print(id, userId, identity.userId);
    return printed ? new Download(printed.filename, 'application/pdf', [printed.bytes]) : createNotFound();
  };
  return {
    'GET /orders/{id}/terms': {
      who: 'user',
      limit: reading,
      handle: async ({ params, caller }) =>
        (await terms.describe(params.id, caller.identity.userId)) ?? createNotFound(),
    },
    'GET /orders/{id}/terms/pdf': {
      who: 'user',
      limit: printing,
      handle: ({ params, caller }) => print(params.id, caller.identity.userId, caller),
    },
    'GET /support/orders/{id}/terms': {
      who: 'orders',
      limit: reading,
      handle: async ({ params }) => (await terms.describe(params.id, null)) ?? createNotFound(),
    },
    'GET /support/orders/{id}/terms/pdf': {
      who: 'orders',
      limit: printing,
      handle: ({ params, caller }) => print(params.id, null, caller),
    },
  };
}
