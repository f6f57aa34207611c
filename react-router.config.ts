import type { Config } from '@react-router/dev/config';
import { precompress } from './src/platform/http/precompress.ts';

export default {
  appDirectory: 'src',
  ssr: true,
  // Every route is known from the first page on: few routes, and no further request to discover them.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => precompress(`${reactRouterConfig.buildDirectory}/client`),
} satisfies Config;
