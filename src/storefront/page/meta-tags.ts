import type { SiteDescription } from './describe-page.ts';

/**
 * Meta tags for search engines and link previews. The server writes them into the finished HTML, so the browser's
 * scripts do not contain them.
 */
const TITLE = /<title>([^<]*)<\/title>/;
const DESCRIPTION = /<meta name="description" content="([^"]*)"\/>/;
const CANONICAL = /<link rel="canonical" href="([^"]*)"\/>/;
const ROBOTS = /<meta name="robots"/;

export interface PageMetadata {
  readonly origin: string;
  /** Without the query: filters and searches are views of the same page. */
  readonly path: string;
  /** A public page that was rendered without an error. */
  readonly isIndexed: boolean;
  readonly picture: string | null;
  readonly site: SiteDescription;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Tags for the head, from the page's title and description, which are already escaped. */
export function renderMetaTags(html: string, { origin, path, isIndexed, picture, site }: PageMetadata): string {
  const isRefused = ROBOTS.test(html);
  if (!isIndexed) return isRefused ? '' : '<meta name="robots" content="noindex"/>';
  const ownUrl = CANONICAL.exec(html)?.[1];
  const url = ownUrl ?? escapeHtml(origin + path);
  const title = TITLE.exec(html)?.[1] ?? '';
  const description = DESCRIPTION.exec(html)?.[1];
  const shown = picture ?? site.picture;
  const image = shown === null ? undefined : escapeHtml(origin + shown);
  const properties: readonly (readonly [string, string | undefined])[] = [
    ['og:site_name', site.name === '' ? undefined : escapeHtml(site.name)],
    ['og:type', picture === null ? 'website' : 'product'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', image],
  ];
  const names: readonly (readonly [string, string | undefined])[] = [
    ['twitter:card', image === undefined ? 'summary' : 'summary_large_image'],
    ['twitter:title', title],
    ['twitter:description', description],
    ['twitter:image', image],
  ];
  const renderTags = (attribute: string, list: typeof names): string =>
    list.map(([name, text]) => (text === undefined ? '' : `<meta ${attribute}="${name}" content="${text}"/>`)).join('');
  // Marked, because it is removed on the first navigation.
  const canonical = ownUrl === undefined && !isRefused ? `<link rel="canonical" href="${url}" data-first=""/>` : '';
  return canonical + renderTags('property', properties) + renderTags('name', names);
}
