/** Formats of single settings. */

/** In front of order numbers; empty for none. */
export const ORDER_PREFIX = /^(?:[A-Z0-9][A-Z0-9-]{0,9})?$/;

/** A path of the shop, without query: `/api/images/logo.png`. */
export const PICTURE_PATH = /^\/[\w.~%+-][\w./~%+-]*$/;

/** A path of the shop, or an http(s) URL without user and password. */
export function isLink(text: string): boolean {
  if (/[\s\p{Cc}\\"<>]/u.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\/[^@/?#]+(?:[/?#]|$)/i.test(text);
}

/** Text of one line. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/** A phone number as people write it. */
export const PHONE = /^\+?[\d ()./-]{3,40}$/;

/** One mail address that is safe in a header, in any script. */
export const MAIL_ADDRESS =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]{1,64})*@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
