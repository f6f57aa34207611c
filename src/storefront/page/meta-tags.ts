import { SHOP_NAME } from '#src/shop/shop-identity.ts';

/**
 * What a page says of itself to search engines and to those who show a link to it. Nobody else reads it, so the server
 * writes it into the finished HTML and the browser knows nothing of it.
 */
const TITLE = /<title>([^<]*)<\/title>/;
const DESCRIPTION = /<meta name="description" content="([^"]*)"\/>/;
const CANONICAL = /<link rel="canonical" href="([^"]*)"\/>/;
const ROBOTS = /<meta name="robots"/;
/** 1200 x 630: what previews of links cut everything to. */
const DEFAULT_PICTURE = '/api/images/og.jpg';

export interface PageMetadata {
  readonly origin: string;
  /** Its path, without the query: what is filtered or searched is a view of the page. */
  readonly path: string;
  /** A page of the shop for everybody, and not one that failed. */
  readonly isIndexed: boolean;
  readonly picture: string | null;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The elements for the page's head, made of its own title and description, whose text is escaped already. */
export function renderMetaTags(html: string, { origin, path, isIndexed, picture }: PageMetadata): string {
  const isRefused = ROBOTS.test(html);
  if (!isIndexed) return isRefused ? '' : '<meta name="robots" content="noindex"/>';
  const ownUrl = CANONICAL.exec(html)?.[1];
  const url = ownUrl ?? escaped(origin + path);
  const title = TITLE.exec(html)?.[1] ?? '';
  const description = DESCRIPTION.exec(html)?.[1];
  const image = escaped(origin + (picture ?? DEFAULT_PICTURE));
  const properties: readonly (readonly [string, string | undefined])[] = [
    ['og:site_name', SHOP_NAME],
    ['og:type', picture === null ? 'website' : 'product'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', image],
  ];
  const names: readonly (readonly [string, string | undefined])[] = [
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', title],
    ['twitter:description', description],
    ['twitter:image', image],
  ];
  const tags = (attribute: string, list: typeof names): string =>
    list.map(([name, text]) => (text === undefined ? '' : `<meta ${attribute}="${name}" content="${text}"/>`)).join('');
  // Marked as the first page's: it goes when the visitor goes on.
  const canonical = ownUrl === undefined && !isRefused ? `<link rel="canonical" href="${url}" data-first=""/>` : '';
  return canonical + tags('property', properties) + tags('name', names);
}
