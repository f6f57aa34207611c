/** Query parameter of a product page: the SKU of the variant that is chosen first. */
export const VARIANT_PARAMETER = 'variant';

/** Path of a product page on which this variant is chosen. */
export const formatVariantPath = (slug: string, sku: string): string =>
  `/catalog/product/${slug}?${VARIANT_PARAMETER}=${encodeURIComponent(sku.toWellFormed())}`;
