/** The shop without the page cache, for `npm run bench -- web`: every request renders. */
import process from 'node:process';
import { PageCache } from '#src/platform/pages/page-cache.ts';
import { DigestCache, PageDependencies } from '#src/platform/pages/page-dependencies.ts';
import { RUN_SOURCES } from '../../build/load-shop.ts';

const digests = new DigestCache(2 ** 20);
PageCache.prototype.getFresh = () => null;
PageCache.prototype.getOrRender = async (_key, render) => ({
  response: await render(new PageDependencies(() => null, digests)),
  isHit: false,
});
// The bundle would have a cache of its own.
process.env[RUN_SOURCES] = '1';
await import('../../start.ts');
