/** What the address of a picture refers to. `path` is as the catalogue stores it. */
export type PictureAddress =
  | { readonly kind: 'own'; readonly path: string }
  | { readonly kind: 'foreign'; readonly url: string }
  | { readonly kind: 'invalid' };

const PATH = /^\/images(?:\/[\w-]+)+\.avif$/;
const MAX_PATH = 200;
const MAX_URL = 2000;
const BASE = '/api';
const FOREIGN = 'https://';

/** @param origin of the shop's own pictures, such as https://shop.example */
export function readPictureAddress(text: string, origin: string): PictureAddress {
  const inShop = text.startsWith(`${origin}/`) ? text.slice(origin.length) : text;
  // Shops elsewhere append a version.
  const path = (inShop.startsWith(`${BASE}/`) ? inShop.slice(BASE.length) : inShop).replace(/\?.*$/s, '');
  if (PATH.test(path) && path.length <= MAX_PATH) return { kind: 'own', path };
  const complete = text.startsWith('//') ? `https:${text}` : text;
  const url = /^https?:\/\/[^\s/]+\/[^\t\r\n]*$/i.test(complete) && inShop === text ? readUrl(complete) : null;
  return url === null ? { kind: 'invalid' } : { kind: 'foreign', url };
}

/** The address with https, with its blanks escaped and without its fragment. */
function readUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  url.protocol = 'https:';
  url.hash = '';
  return url.href.length <= MAX_URL ? url.href : null;
}

/** Whether a picture of a planned product is on another site, and not a path of the shop. */
export const isForeign = (picture: string): boolean => picture.startsWith(FOREIGN);

/** Address of a stored picture, for files that leave the shop. */
export const formatPictureAddress = (path: string, origin: string): string => `${origin}${BASE}${path}`;
