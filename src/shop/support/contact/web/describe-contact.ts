import { SHOP_ADDRESS } from '#src/storefront/layout/shop-address.ts';

/** Structured data for search engines. */
export const createContactJsonLd = (origin: string): object => ({
  '@context': 'https://schema.org',
  '@type': 'ContactPage',
  name: 'Contact Us',
  url: `${origin}/contact`,
  mainEntity: {
    '@type': 'Organization',
    name: 'Crypto Market',
    url: `${origin}/`,
    address: SHOP_ADDRESS,
    contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', url: `${origin}/contact` },
  },
});
