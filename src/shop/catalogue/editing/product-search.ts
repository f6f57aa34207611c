/** The last character of Unicode, after which no text with the same beginning is sorted. */
export const LAST_CHARACTER = '\u{10ffff}';

/** A shorter text begins too many SKUs, often those of all products: it must be the whole SKU. */
export const MIN_SKU_PREFIX = 3;
