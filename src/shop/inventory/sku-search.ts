/** A shorter text begins too many SKUs, often those of all products: it must be the whole SKU. */
export const MIN_SKU_PREFIX = 3;
