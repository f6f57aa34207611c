/** The shop without the page cache, for `npm run bench -- web`: every request renders. */
import { PageCache, PageDependencies } from '#src/platform/pages/page-cache.ts';

PageCache.prototype.getFresh = () => null;
PageCache.prototype.getOrRender = async (_key, render) => ({
  response: await render(new PageDependencies(() => null)),
  isHit: false,
});
await import('./start.ts');
