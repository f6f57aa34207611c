import { Encoded } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { contentApi } from './contract.ts';
import type { Content } from './service.ts';

export function createContentRoutes(content: Content): RoutesOf<typeof contentApi> {
  return {
    'GET /faq': {
      who: 'anyone',
      limit: { points: 600, seconds: 60, by: 'ip' },
      getVersion: () => String(content.version),
      handle: async () => new Encoded([...content.listFaq()]),
    },
  };
}
