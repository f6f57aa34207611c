import transliterate from '@sindresorhus/transliterate';

const MAX_LENGTH = 100;
/** Longer texts are cut before they are transliterated, which takes time per character. */
const MAX_READ = 500;

/** Other letters as Latin ones; accents of Latin letters are removed: 'ö' is 'o' and 'ł' is 'l'. */
function toLatin(text: string): string {
  const composed = text
    .normalize('NFKD')
    .replaceAll(/(\p{Script=Latin})\p{Mark}+/gu, '$1')
    .normalize();
  return composed.replaceAll(/\P{ASCII}+/gu, (letters) => transliterate(letters));
}

/**
 * Text for a URL: lower-case letters and digits, separated by hyphens. Empty if the text has no letter
 * or digit that has a Latin form.
 */
export const createSlug = (text: string, maximum: number): string =>
  toLatin(text.slice(0, MAX_READ))
    .replaceAll(/['’]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+/g, '')
    .slice(0, maximum)
    .replaceAll(/-+$/g, '');

/** A slug made of a name, such as 'iphone-17-pro'. */
export const suggestSlug = (name: string): string => createSlug(name, MAX_LENGTH);

/** The slug, or the first of `slug-2`, `slug-3`, … that is not taken. */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const candidate = `${slug}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
