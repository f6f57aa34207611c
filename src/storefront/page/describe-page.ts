/** Structured data and preview picture of a page. Set by loaders, so none of it reaches the browser. */
import type { PageContext } from './page-context.ts';

export interface PageDescription {
  /** Structured data for search engines. */
  readonly jsonLd?: readonly object[];
  /** Path of the picture in link previews. */
  readonly picture?: string;
}

const descriptions = new WeakMap<PageContext, PageDescription>();

/** Called by a loader with the context of its page. */
export function describePage(page: PageContext, description: PageDescription): void {
  descriptions.set(page, description);
}

export const getDescription = (page: PageContext): PageDescription | null => descriptions.get(page) ?? null;

/** What the tags of every page say about the shop. */
export interface SiteDescription {
  readonly name: string;
  /** Path of the picture in link previews of pages without their own; null for none. */
  readonly picture: string | null;
}

const sites = new WeakMap<PageContext, SiteDescription>();

/** Called by the root loader. */
export function describeSite(page: PageContext, site: SiteDescription): void {
  sites.set(page, site);
}

export const getSite = (page: PageContext): SiteDescription => sites.get(page) ?? { name: '', picture: null };

/** One script element per object. `<` is escaped, so no text can end the element. */
export const renderJsonLd = (list: readonly object[]): string =>
  list
    .map((data) => `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`)
    .join('');

/** Breadcrumbs from names and paths. */
export const createBreadcrumbJsonLd = (origin: string, trail: readonly (readonly [string, string])[]) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(([name, path], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + path,
  })),
});
