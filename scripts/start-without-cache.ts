/** The shop with every page rendered anew for every request, for `npm run bench -- web`: what that costs is measured outside. */
import { PageCache, PageDependencies } from '#src/platform/pages/page-cache.ts';

PageCache.prototype.getFresh = () => null;
PageCache.prototype.getOrRender = async (_key, render) => ({
  response: await render(new PageDependencies(() => null)),
  isHit: false,
});
await import('./start.ts');
