import type { Config } from '@react-router/dev/config';
import { precompress } from './src/platform/pages/precompress.ts';
import { shrinkRouteManifest } from './src/platform/pages/route-manifest.ts';

export default {
  appDirectory: 'src',
  ssr: true,
  // Every route is known from the first page on: few routes, and no further request to discover them.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig }) => {
    const client = `${reactRouterConfig.buildDirectory}/client`;
    await shrinkRouteManifest(`${client}/assets`);
    await precompress(client);
  },
} satisfies Config;
