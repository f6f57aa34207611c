/** Path of the product feed. */
export const FEED_PATH = '/products.xml';
