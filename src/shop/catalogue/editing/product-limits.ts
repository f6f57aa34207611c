/** Limits of products. Those of names are as wide as Shopify's, so that its products fit. */
export const MAX_NAME = 255;
export const MAX_SKU = 255;
export const MAX_PROPERTIES = 4;
export const MAX_VARIANTS = 250;
export const MAX_SUMMARY = 200;
