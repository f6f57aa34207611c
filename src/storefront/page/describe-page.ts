/** What a page says of itself to those who do not look at it. Loaders say it, so nothing of it reaches the browser. */
import type { PageContext } from './page-context.ts';

export interface PageDescription {
  /** Structured data for search engines. */
  readonly jsonLd?: readonly object[];
  /** The path of the picture that stands for the page where somebody shares it. */
  readonly picture?: string;
}

const descriptions = new WeakMap<PageContext, PageDescription>();

/** For a loader: the page that it loads for, and what there is to say of it. */
export function describePage(page: PageContext, description: PageDescription): void {
  descriptions.set(page, description);
}

export const getDescription = (page: PageContext): PageDescription | null => descriptions.get(page) ?? null;

/** One script element each. `<` is escaped, so that no text can end the element. */
export const renderJsonLd = (list: readonly object[]): string =>
  list
    .map((one) => `<script type="application/ld+json">${JSON.stringify(one).replaceAll('<', '\\u003c')}</script>`)
    .join('');

/** The way from the catalogue to a page, by names and paths. */
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
