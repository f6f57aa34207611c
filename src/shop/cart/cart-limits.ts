/** Maximum quantity of a line. Has no imports, so the browser can bundle it. */
export const MAX_LINE_QUANTITY = 99;
/** Maximum number of lines in a cart. */
export const MAX_CART_LINES = 50;
