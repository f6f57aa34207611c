import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { environmentApi, ShownSetting } from './contract.ts';

/** @param settings every setting of the environment in force, secrets masked */
export const createEnvironmentRoutes = (settings: readonly ShownSetting[]): RoutesOf<typeof environmentApi> => ({
  'GET /settings': {
    who: 'environment',
    limit: { points: 60, seconds: 60, by: 'caller' },
    handle: async () => ({ settings: settings.map(({ name, value }) => ({ name, value })) }),
  },
});
