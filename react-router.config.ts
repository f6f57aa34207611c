import type { Config } from '@react-router/dev/config';
import { getBuildDirectory } from './scripts/build-directory.ts';
import { buildShop } from './scripts/build-shop.ts';
import { precompress } from './src/platform/pages/precompress.ts';
import { shrinkRouteManifest } from './src/platform/pages/route-manifest.ts';
import { isSeparatePath } from './src/storefront/page/separate-pages.ts';

/** `react-router build --mode stock`: the pages without the page engine, for PAGES=stock. */
const isStock = process.argv.includes('stock');

export default {
  appDirectory: 'src',
  buildDirectory: getBuildDirectory(),
  ssr: true,
  // There are few routes: the browser gets all of them with the first page.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig }) => {
    const client = `${reactRouterConfig.buildDirectory}/client`;
    if (!isStock) await shrinkRouteManifest(`${client}/assets`, isSeparatePath);
    await Promise.all([precompress(client), buildShop(reactRouterConfig.buildDirectory)]);
  },
} satisfies Config;
