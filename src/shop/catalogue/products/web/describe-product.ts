import { createBreadcrumbJsonLd } from '#src/storefront/page/describe-page.ts';
import type { PageDescription } from '#src/storefront/page/describe-page.ts';
import type { Product } from '../../contract.ts';

interface ProductDescriptionInput {
  readonly product: Product;
  readonly brand: string | null;
  /** Path of its category page. */
  readonly categoryPath: string;
  /** Mean rating; null without reviews. */
  readonly rating: { readonly mean: number; readonly count: number } | null;
}

/** Structured data of a product for search engines. */
export function describeProduct(
  origin: string,
  { product, brand, categoryPath, rating }: ProductDescriptionInput,
): PageDescription {
  const path = `/catalog/product/${product.slug}`;
  const offered = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    description: product.description,
    sku: product.article,
    category: product.category_name,
    image: product.images.map((image) => `${origin}/api${image}`),
    ...(brand === null ? {} : { brand: { '@type': 'Brand', name: brand } }),
    offers: {
      '@type': 'Offer',
      url: origin + path,
      // schema.org requires a plain decimal.
      price: product.base_price_in_usd.toFixed(2),
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      itemCondition: 'https://schema.org/NewCondition',
    },
    ...(rating && {
      aggregateRating: { '@type': 'AggregateRating', ratingValue: rating.mean, reviewCount: rating.count },
    }),
  };
  const trail = createBreadcrumbJsonLd(origin, [
    ['Catalog', '/catalog'],
    [product.category_name, categoryPath],
    [product.name, path],
  ]);
  return { jsonLd: [offered, trail], picture: `/api${product.main_image.replace(/\.avif$/, '.jpg')}` };
}
