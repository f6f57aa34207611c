import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';
import { getPublicName } from '#src/storefront/page/describe-shop.ts';

/** Structured data for search engines. A text that is not set is left out. */
export const createContactJsonLd = (origin: string, shop: ShopDescription): object => ({
  '@context': 'https://schema.org',
  '@type': 'ContactPage',
  name: 'Contact Us',
  url: `${origin}/contact`,
  mainEntity: {
    '@type': 'Organization',
    name: getPublicName(shop.name, origin),
    url: `${origin}/`,
    ...pickFilled({
      legalName: shop.company,
      address: shop.address,
      taxID: shop.tax_number,
      email: shop.contact_email,
      telephone: shop.contact_phone,
    }),
    contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', url: `${origin}/contact` },
  },
});

const pickFilled = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
