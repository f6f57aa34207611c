/** Limits of products, in the editor and in files. Those of names are as wide as Shopify's, so that its products fit. */
export const MAX_NAME = 255;
export const MAX_SKU = 255;
export const MAX_SLUG = 120;
export const MAX_ARTICLE = 60;
export const MAX_SUMMARY = 200;
/** Of all lines together. */
export const MAX_BOX = 2000;
export const MAX_DESCRIPTION = 20_000;
export const MAX_SPECIFICATIONS = 60;
export const MAX_SPECIFICATION_NAME = 80;
export const MAX_SPECIFICATION_TEXT = 500;
/** Of a product, a value or a variant. */
export const MAX_PICTURES = 20;
export const MAX_ALT = 300;
export const MAX_GRAMS = 1_000_000;
export const MAX_PROPERTIES = 4;
export const MAX_VARIANTS = 250;
/** Products of one bulk edit. */
export const MAX_BULK = 500;
/** Of a request. A form with 250 variants, pictures included, is far below. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Of a description. In UTF-8 a character takes up to four bytes, and JSON escapes some. */
export const MAX_PREVIEW_BYTES = 150_000;
