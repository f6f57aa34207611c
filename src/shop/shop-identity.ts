/** The name, address and order-number prefix of the shop. Renaming the shop is one edit here. */
export const SHOP_NAME = 'Crypto Market';
export const SHOP_ADDRESS = '45 Elm Street, Kensington, London, UK';
/** Shown in front of every order number. */
export const ORDER_NUMBER_PREFIX = 'CM-';
/** Receives staff mails in demo mode. */
export const DEMO_SUPPORT_EMAIL = 'support@shop.example';

/** The document title of a page, with the name of the shop at its end. */
export const formatPageTitle = (title: string): string => `${title} · ${SHOP_NAME}`;

/** The shop's name as a part of file names: `crypto-market`. */
export const SHOP_SLUG = SHOP_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Reads an order number with or without its prefix, in any case. Null if it is not one. */
export function parseOrderNumber(text: string): string | null {
  const hasPrefix = text.toUpperCase().startsWith(ORDER_NUMBER_PREFIX.toUpperCase());
  const digits = hasPrefix ? text.slice(ORDER_NUMBER_PREFIX.length) : text;
  return /^\d{1,18}$/.test(digits) ? digits : null;
}
