/** The name, address and order-number prefix of the shop. Renaming the shop is one edit here. */
export const SHOP_NAME = 'Crypto Market';
export const SHOP_ADDRESS = '45 Elm Street, Kensington, London, UK';
/** Order number 100001 is shown as CM-100001. */
export const ORDER_NUMBER_PREFIX = 'CM-';
/** Receives staff mails in demo mode. */
export const DEMO_SUPPORT_EMAIL = 'support@shop.example';

/** The document title of a page, with the name of the shop at its end. */
export const formatPageTitle = (title: string): string => `${title} · ${SHOP_NAME}`;

export const formatOrderNumber = (number: bigint): string => `${ORDER_NUMBER_PREFIX}${number}`;
