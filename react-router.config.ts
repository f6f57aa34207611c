import type { Config } from '@react-router/dev/config';
import { getBuildDirectory } from './scripts/build/build-directory.ts';
import { buildShop } from './scripts/build/build-shop.ts';
import { precompress } from './src/platform/pages/precompress.ts';

export default {
  appDirectory: 'src',
  buildDirectory: getBuildDirectory(),
  ssr: true,
  // There are few routes: the browser gets all of them with the first page.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig: { buildDirectory } }) => {
    await Promise.all([precompress(`${buildDirectory}/client`), buildShop(buildDirectory)]);
  },
} satisfies Config;
