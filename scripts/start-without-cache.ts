/** The shop with every page rendered anew for every request, for `npm run bench -- web`: what that costs is measured outside. */
import { PageCache, PageParts } from '#src/platform/http/page-cache.ts';

PageCache.prototype.fresh = () => null;
PageCache.prototype.take = async (_key, render) => ({
  answer: await render(new PageParts(() => null)),
  isHit: false,
});
await import('./start.ts');
