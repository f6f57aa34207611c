import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Readiness } from '#src/platform/telemetry/health.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { adminSettingsApi } from './contract.ts';
import type { Setup } from './service.ts';

const reading: Limit = { points: 60, seconds: 60, by: 'caller' };

export function createAdminSettingsRoutes(
  setup: Setup,
  checkReadiness: () => Promise<Readiness>,
): RoutesOf<typeof adminSettingsApi> {
  return {
    'GET /support/health': {
      who: 'settings',
      limit: reading,
      handle: async () => setup.readHealth(await checkReadiness()),
    },
    'GET /support/setup': {
      who: 'settings',
      limit: reading,
      handle: () => setup.readSetup(),
    },
  };
}
