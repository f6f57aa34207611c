/** Pieces of one line; no imports, so the browser can bundle it. */
export const MAX_LINE_QUANTITY = 99;
/** Lines of one cart. */
export const MAX_CART_LINES = 50;
