import { SHOP_NAME } from '#src/shop/shop-identity.ts';

/** Structured data of the shop, on the home page. */
export const createShopJsonLd = (origin: string): readonly object[] => [
  {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: SHOP_NAME,
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
  },
  {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: SHOP_NAME,
    url: `${origin}/`,
    potentialAction: {
      '@type': 'SearchAction',
      target: `${origin}/search-results?query={search_term_string}`,
      'query-input': 'required name=search_term_string',
    },
  },
];
