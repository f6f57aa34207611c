import { SHOP_ADDRESS, SHOP_NAME } from '#src/shop/shop-identity.ts';

/** Structured data for search engines. */
export const createContactJsonLd = (origin: string): object => ({
  '@context': 'https://schema.org',
  '@type': 'ContactPage',
  name: 'Contact Us',
  url: `${origin}/contact`,
  mainEntity: {
    '@type': 'Organization',
    name: SHOP_NAME,
    url: `${origin}/`,
    address: SHOP_ADDRESS,
    contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', url: `${origin}/contact` },
  },
});
