/** Loads the program of the shop: the bundle of the current release, or the source files. */
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Releases } from '#src/platform/pages/releases.ts';
import type { PageRenderer } from '#src/platform/pages/releases.ts';
import type * as Shop from '#src/main.ts';
import { SHOP_BUNDLE } from './build-directory.ts';
import { ACCEPT_STALE_PAGES } from './build-when-stale.ts';

/** Set to run the source files, such as by a script that replaces a part of them. */
export const RUN_SOURCES = 'CRYPTO_MARKET_RUN_SOURCES';

const isShop = (module: unknown): module is typeof Shop =>
  typeof module === 'object' && module !== null && 'startShop' in module;

/** @throws if the shop is not built */
export async function loadShop(renderer: PageRenderer, assetsRoot: string): Promise<typeof Shop> {
  // An outdated bundle would be an outdated shop.
  const runsSources = process.env[RUN_SOURCES] === '1' || process.env[ACCEPT_STALE_PAGES] === '1';
  if (runsSources) return import('#src/main.ts');
  const release = Releases.of(renderer, assetsRoot).readCurrent();
  if (release === null) throw new Error('the shop is not built');
  const bundle = path.join(release.directory, SHOP_BUNDLE);
  const module: unknown = await import(pathToFileURL(bundle).href);
  if (!isShop(module)) throw new Error(`${bundle} is not the program of the shop`);
  return module;
}
