/** The shop with every page rendered anew for every request: what a render costs can then be measured from outside. */
import { PageCache } from '#src/platform/http/page-cache.ts';
import { PageParts } from '#src/platform/http/page-cache.ts';

PageCache.prototype.fresh = () => null;
PageCache.prototype.take = async (_key, render) => ({
  answer: await render(new PageParts(() => null)),
  isHit: false,
});
await import('./start.ts');
