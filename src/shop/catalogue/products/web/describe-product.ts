import { createBreadcrumbJsonLd } from '#src/storefront/page/describe-page.ts';
import type { PageDescription } from '#src/storefront/page/describe-page.ts';
import type { ProductDetail } from '../../contract.ts';
import { formatVariantPath } from '../variant-path.ts';

interface ProductDescriptionInput {
  readonly product: ProductDetail;
  /** The variant that the page shows; none if it has none. */
  readonly shown: ProductDetail['variants'][number] | undefined;
  /** Whether the URL names it. */
  readonly isWanted: boolean;
  readonly brand: string | null;
  /** Path of its category page. */
  readonly categoryPath: string;
  /** Mean rating; null without reviews. */
  readonly rating: { readonly mean: number; readonly count: number } | null;
}

/** The manufacturer with its addresses; nothing if it is not given. */
function describeManufacturer({ safety }: ProductDetail) {
  if (!safety?.manufacturer) return {};
  const { manufacturer: name, manufacturer_address: address, manufacturer_contact: contact } = safety;
  const electronic = contact === '' ? {} : { [contact.includes('@') ? 'email' : 'url']: contact };
  return { manufacturer: { '@type': 'Organization', name, ...(address !== '' && { address }), ...electronic } };
}

const CATEGORY = 'https://schema.org/EUEnergyEfficiencyCategory';

/** The energy class and its scale; nothing without a label. */
const describeEnergy = ({ energy_label: label }: ProductDetail) =>
  label
    ? {
        hasEnergyConsumptionDetails: {
          '@type': 'EnergyConsumptionDetails',
          hasEnergyEfficiencyCategory: CATEGORY + label.class,
          energyEfficiencyScaleMin: `${CATEGORY}G`,
          energyEfficiencyScaleMax: `${CATEGORY}A`,
        },
      }
    : {};

/** Structured data of a product for search engines. */
export function describeProduct(
  origin: string,
  { product, shown, isWanted, brand, categoryPath, rating }: ProductDescriptionInput,
): PageDescription {
  const path = `/catalog/product/${product.slug}`;
  const was = (shown ?? product).was_price_usd;
  const isAvailable = shown?.is_available === true;
  const offered = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    ...(product.description === '' ? {} : { description: product.description }),
    sku: shown?.sku ?? product.article,
    ...(shown?.gtin ? { gtin: shown.gtin } : {}),
    category: product.category_name,
    image: product.images.map((image) => `${origin}/api${image}`),
    ...(brand === null ? {} : { brand: { '@type': 'Brand', name: brand } }),
    ...describeManufacturer(product),
    ...describeEnergy(product),
    offers: {
      '@type': 'Offer',
      url: origin + (shown && isWanted ? formatVariantPath(product.slug, shown.sku) : path),
      // schema.org requires a plain decimal.
      price: (shown?.price_usd ?? product.base_price_in_usd).toFixed(2),
      priceCurrency: 'USD',
      ...(was !== null && {
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          priceType: 'https://schema.org/StrikethroughPrice',
          price: was.toFixed(2),
          priceCurrency: 'USD',
        },
        ...(product.sale_ends_at !== null && { priceValidUntil: product.sale_ends_at }),
      }),
      availability: `https://schema.org/${isAvailable ? 'InStock' : 'OutOfStock'}`,
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
