import type { EntryContext } from 'react-router';

/** What a route may export as `handle`. */
export interface PageHandle<Data = never> {
  /** Structured data for search engines, made from what the loader answered. */
  readonly jsonLd?: (data: Data) => object;
}

interface AnyHandle {
  readonly jsonLd: (data: unknown) => object;
}

const hasJsonLd = (handle: unknown): handle is AnyHandle =>
  typeof handle === 'object' && handle !== null && 'jsonLd' in handle && typeof handle.jsonLd === 'function';

/** The script elements of all matched routes. `<` is escaped, so that no text can end the element. */
export function jsonLdOf({ staticHandlerContext, routeModules }: EntryContext): string {
  if (staticHandlerContext.errors) return '';
  return staticHandlerContext.matches
    .map(({ route }) => {
      const handle: unknown = routeModules[route.id]?.handle;
      if (!hasJsonLd(handle)) return '';
      const json = JSON.stringify(handle.jsonLd(staticHandlerContext.loaderData[route.id])).replaceAll('<', '\\u003c');
      return `<script type="application/ld+json">${json}</script>`;
    })
    .join('');
}
