import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';

/** The name in structured data: search engines require one. */
export const getPublicName = (name: string, origin: string): string => name || new URL(origin).host;

/**
 * Structured data of the shop, on the home page.
 * @param logo path of the picture; null for none
 */
export function createShopJsonLd(origin: string, { name: given }: Pick<ShopDescription, 'name'>, logo: string | null) {
  const name = getPublicName(given, origin);
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name,
      url: `${origin}/`,
      ...(logo === null ? {} : { logo: origin + logo }),
    },
    {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name,
      url: `${origin}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: `${origin}/search-results?query={search_term_string}`,
        'query-input': 'required name=search_term_string',
      },
    },
  ];
}
